// Installs another page's packages into a temporary folder, and builds the page.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { stopLater } from "../stage.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** The file that a page loads first. */
const ENTRY = "page.js";

/** Builds the least page with these packages. Returns its files by their names, and the bytes of its first load. */
export async function built(name, packages) {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-others-"));
  stopLater(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  await install(folder, packages);
  await copyFile(join(HERE, `${name}.jsx`), join(folder, "page.jsx"));
  const outdir = join(folder, "built");
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    bundle: true,
    define: { "process.env.NODE_ENV": '"production"' },
    entryPoints: ["page.jsx"],
    format: "esm",
    jsx: "automatic",
    logLevel: "silent",
    metafile: true,
    minify: true,
    outdir,
    splitting: true,
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [relative(outdir, path), gzipSync(contents, { level: 9 })]));
  const first = [...loadedAtOnce(metafile.outputs, `built/${ENTRY}`)].map((path) => relative("built", path));
  return { files, entry: ENTRY, firstLoad: first.reduce((sum, path) => sum + files.get(path).length, 0) };
}

/** Returns the paths of a built file and of all that it imports before it runs. */
function loadedAtOnce(outputs, path, found = new Set()) {
  if (found.has(path) || !(path in outputs)) return found;
  found.add(path);
  const statements = outputs[path].imports.filter(({ kind }) => kind === "import-statement");
  for (const imported of statements) loadedAtOnce(outputs, imported.path, found);
  return found;
}

async function install(folder, packages) {
  const options = "--ignore-scripts --no-audit --no-fund --loglevel error --save-exact".split(" ");
  const stdio = ["ignore", "ignore", "inherit"];
  const child = spawn("npm", ["install", ...options, ...packages], { cwd: folder, stdio });
  stopLater(() => child.kill());
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`npm install ended with ${code}`);
}
