// The package as it is published.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Server } from "../../../ui/tests/server.mjs";
import { Client, followTurn, last, start, text } from "./support.mjs";
import { areFresh } from "../types.mjs";

const HERE = join(dirname(fileURLToPath(import.meta.url)), "..");
const ROOT = join(HERE, "..", "..");
const TYPESCRIPT = join(ROOT, "ui", "node_modules", "typescript", "bin", "tsc");

const execute = promisify(execFile);

/** Runs a command, and returns its output. */
async function run(program, words, folder) {
  try {
    const { stdout } = await execute(program, words, { cwd: folder });
    return stdout;
  } catch (error) {
    throw new Error(`${words.join(" ")}: ${error.stdout}${error.stderr}`);
  }
}

/** A folder that has nothing but the package. */
let folder;

/** The files of the package. */
let files;

/** The name of the file that `npm pack` writes. */
let archive;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-client-"));
  const words = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [packed] = JSON.parse(await run("npm", words, HERE));
  files = packed.files.map(({ path }) => path);
  archive = packed.filename;
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...options, join(folder, archive)], folder);
});

after(() => rm(folder, { recursive: true, force: true }));

/** Returns the programs of the README. */
async function programs() {
  const text = await readFile(join(HERE, "README.md"), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program]) => program);
}

/** Writes programs, checks their types, and compiles them. */
async function compile(name, programs, options) {
  await mkdir(join(folder, name));
  const names = programs.map((_, index) => `program${index}.ts`);
  for (const [index, program] of programs.entries()) await writeFile(join(folder, name, names[index]), program);
  const common = ["--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""];
  await run(process.execPath, [TYPESCRIPT, ...common, ...options, ...names], join(folder, name));
}

test("the package has its code, its types and its licence, and nothing else", () => {
  const expected = /^(package\.json|README\.md|dist\/(LICENSE|index\.js|\w+\.d\.ts))$/;
  assert.deepEqual(files.filter((path) => !expected.test(path)), []);
  for (const needed of ["README.md", "dist/LICENSE", "dist/index.js", "dist/published.d.ts"]) {
    assert.ok(files.includes(needed), needed);
  }
});

test("the package has the version and the repository of the workspace, and no dependencies", async () => {
  const manifest = JSON.parse(await readFile(join(HERE, "package.json"), "utf8"));
  const workspace = await readFile(join(ROOT, "Cargo.toml"), "utf8");
  const shared = (field) => workspace.match(`\\[workspace\\.package\\]\n(?:.+\n)*?${field} = "(.*)"`)?.[1];
  assert.equal(manifest.version, shared("version"));
  const { url, directory } = manifest.repository;
  assert.equal(url, `git+${shared("repository")}.git`);
  assert.equal(join(ROOT, directory), HERE);
  for (const field of ["dependencies", "devDependencies", "peerDependencies"]) assert.equal(manifest[field], undefined);
});

test("the package is published for everyone", async () => {
  // npm keeps packages with a scope to their owners unless this says otherwise.
  const { publishConfig } = JSON.parse(await readFile(join(HERE, "package.json"), "utf8"));
  assert.deepEqual(publishConfig, { access: "public" });
});

test("the types of events and views are those of the schema", () => {
  assert.ok(areFresh(process.env.TURNKIT_BINARY), "renew them: TURNKIT_BINARY=… node clients/typescript/types.mjs");
});

test("the README installs the package of this version", async () => {
  const text = await readFile(join(HERE, "README.md"), "utf8");
  assert.ok(text.includes(`\nnpm install ./clients/typescript/${archive}\n`), archive);
});

test("the programs of the README have the right types, for bundlers and for Node.js", async () => {
  const sources = await programs();
  assert.equal(sources.length, 2);
  await compile("bundler", sources, ["--noEmit", "--module", "esnext", "--moduleResolution", "bundler"]);
  await compile("node", sources, ["--noEmit", "--module", "nodenext"]);
});

test("a program with wrong types is refused", async () => {
  for (const [name, line] of [
    ["field", "await client.start({ message: 1, key: '' });"],
    ["decision", "await client.resolve('', { decision: 'perhaps' });"],
    ["event", "const seq: string = ({} as TurnkitEvents['turn.ended']).seq;"],
  ]) {
    const imports = 'import { Client, type TurnkitEvents } from "@turnkit/client";';
    const program = `${imports}\nconst client = new Client();\n${line}\nexport {};\n`;
    await assert.rejects(compile(`wrong-${name}`, [program], ["--noEmit", "--module", "nodenext"]), /program0\.ts\(3,/);
  }
});

test("the installed package runs the first program of the README", async () => {
  const configuration = '[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n';
  const server = await Server.start({ configuration });
  try {
    const [program] = await programs();
    await compile("run", [program.replace("http://127.0.0.1:8787", server.url)], ["--module", "nodenext"]);
    const output = await run(process.execPath, [join("run", "program0.js")], folder);
    assert.equal(output, "completed 12.5% of 840 is 105.\n");
  } finally {
    await server.stop();
  }
});

test("the second program of the README continues in another process", async () => {
  const server = await Server.start();
  try {
    const [, program] = await programs();
    await compile("state", [program], ["--module", "nodenext"]);
    const { keepUp } = await import(join(folder, "state", "program0.js"));
    const client = new Client({ base: `${server.url}/` });
    const kept = async (turn, state) => {
      const stopped = new AbortController();
      await new Promise((resolve) => {
        const changed = () => state.turns[turn]?.status && resolve();
        keepUp(client, state, changed, stopped.signal);
      });
      stopped.abort();
      return JSON.parse(JSON.stringify(state));
    };
    const first = await start(client, "What is 1 + 1?");
    const { turn_id, session_id } = first;
    const state = await kept(turn_id, { sessions: [{ id: session_id }], turns: {} });
    assert.equal(text(state.turns[turn_id]), "1 + 1 is 2.");
    const second = await start(client, "What is 2 + 2?", { session_id });
    await last(followTurn(client, second));
    const later = await kept(second.turn_id, state);
    assert.deepEqual(Object.keys(later.turns), [turn_id, second.turn_id]);
    assert.equal(text(later.turns[second.turn_id]), "2 + 2 is 4.");
  } finally {
    await server.stop();
  }
});
