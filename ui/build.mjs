// Builds the page into crates/server/page.
//
//   node build.mjs           writes the files
//   node build.mjs --check   compares them with those that are there, and measures them
//   node build.mjs --watch   writes them whenever a source changes
//
// The files are readable and have fixed names, so that a change of a source is a change of the same lines there.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, watch, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = join(HERE, "..", "crates", "server", "page");

/** Sources besides those in src/. */
const OTHER_SOURCES = ["build.mjs", "package.json", "package-lock.json", "tsconfig.json"];

/** The libraries in the page: in vendor.js, code.js and math.js. */
const LIBRARIES = ["@preact/signals", "@preact/signals-core", "highlight.js", "marked", "preact", "temml"];

/** The files that a browser loads before a person can type, and how large they may be together, in bytes of gzip. */
const FIRST_LOAD = ["index.html", "theme.js", "app.js", "vendor.js", "app.css"];
const LARGEST_FIRST_LOAD = 70_000;

/** How large files that are loaded later may be, in bytes of gzip, and how large all files together. */
const LARGEST = { "admin.js": 45_000, "code.js": 30_000, "math.js": 60_000 };
const LARGEST_PAGE = 300_000;

const sha256 = (content) => createHash("sha256").update(content).digest("hex");

/** Returns the paths of all files below a folder. */
async function list(folder) {
  const entries = await readdir(join(HERE, folder), { withFileTypes: true });
  const paths = entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? list(path) : [path];
  });
  return (await Promise.all(paths)).flat();
}

/** Returns the hashes of all sources, by their paths. */
async function hashSources() {
  const paths = [...OTHER_SOURCES, ...(await list("src"))].sort();
  const hashes = paths.map(async (path) => [path, sha256(await readFile(join(HERE, path)))]);
  return Object.fromEntries(await Promise.all(hashes));
}

/** The parts of the page that are loaded when they are first needed, and the sources with which they begin. */
const LAZY = {
  "admin.js": "admin/index.tsx",
  "cards.js": "cards/index.ts",
  "code.js": "markdown/code.ts",
  "de.js": "strings/de.ts",
  "math.js": "markdown/math.ts",
  "more.js": "more/index.ts",
  "search.js": "chat/TurnSearch.tsx",
};

/** The worker, which a tab runs itself if it has to. */
const WORKER = { "worker.js": "worker/index.ts" };

/**
 * How some later parts are built. Those that are almost nothing but a library are small rather than readable: its source
 * is elsewhere. Others contain their style sheet.
 */
const SMALL = { minify: true, lineLimit: 120 };
const WITH_STYLES = { loader: { ".css": "text" } };
const OPTIONS = { "code.js": SMALL, "math.js": { ...SMALL, ...WITH_STYLES }, "cards.js": WITH_STYLES, "more.js": WITH_STYLES };

/** Leaves the parts that are loaded later to their own files. */
const loadedLater = {
  name: "loaded-later",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = join(resolveDir, path);
      const found = Object.entries({ ...LAZY, ...WORKER }).find(([, entry]) => join(HERE, "src", entry).startsWith(`${source}.`));
      return found && { path: `./${found[0]}`, external: true };
    });
  },
};

/** Takes what the page shares with its later parts from app.js, so that there is one of each. */
const fromApp = {
  name: "from-app",
  setup(build) {
    build.onResolve({ filter: /\/shared$/ }, () => ({ path: "./app.js", external: true }));
  },
};

/** Leaves imports of the libraries to vendor.js. */
const fromVendor = {
  name: "from-vendor",
  setup(build) {
    build.onResolve({ filter: /^(@preact\/|preact($|\/)|marked$)/ }, () => ({ path: "./vendor.js", external: true }));
  },
};

async function bundle(entry, options) {
  const { outputFiles } = await build({
    absWorkingDir: HERE,
    bundle: true,
    charset: "utf8",
    entryPoints: [join("src", entry)],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    target: ["chrome123", "firefox124", "safari17.5"],
    write: false,
    ...options,
  });
  return Buffer.from(outputFiles[0].contents);
}

/** Returns the licences of the libraries in the page. */
async function licences() {
  const texts = LIBRARIES.map(async (name) => {
    const folder = join(HERE, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const text = await readFile(join(folder, "LICENSE"), "utf8");
    return `${name} ${version} (${license})\n\n${text.replaceAll("\r\n", "\n").replace(/[ \t]+$/gm, "").trim()}\n`;
  });
  const rule = `\n${"-".repeat(80)}\n\n`;
  return Buffer.from(`The page of turnkit contains these libraries.\n${rule}${(await Promise.all(texts)).join(rule)}`);
}

/** Returns the built files by their names. */
async function buildAll() {
  const sources = await hashSources();
  const lines = Object.entries(sources).map(([path, hash]) => `${hash}  ${path}\n`);
  const id = sha256(lines.join("")).slice(0, 16);
  const define = { __BUILD__: JSON.stringify(id) };
  const files = {
    "LICENSES.txt": await licences(),
    "admin.css": await bundle("css/admin.css", {}),
    "app.css": await bundle("css/app.css", {}),
    "app.js": await bundle("main.tsx", { define, plugins: [fromVendor, loadedLater] }),
    "icon.svg": await readFile(join(HERE, "src", "icon.svg")),
    "index.html": await readFile(join(HERE, "src", "index.html")),
    // A classic script, which runs before anything is drawn.
    "theme.js": await bundle("theme.ts", { format: "iife" }),
    "vendor.js": await bundle("vendor.ts", {}),
    "worker.js": await bundle("worker/index.ts", { format: "iife", define }),
  };
  for (const [name, entry] of Object.entries(LAZY)) {
    files[name] = await bundle(entry, { define, plugins: [fromVendor, fromApp], ...OPTIONS[name] });
  }
  const hashes = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sha256(content)]));
  const list = { build: id, sources, files: hashes };
  return { ...files, "BUILD.json": Buffer.from(`${JSON.stringify(list, null, 2)}\n`) };
}

async function write(files) {
  await rm(TARGET, { recursive: true, force: true });
  await mkdir(TARGET, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(TARGET, name), content);
}

/** Returns what is wrong with the files that are there. */
async function check(files) {
  const problems = [];
  const present = await readdir(TARGET).catch(() => []);
  for (const name of present.filter((name) => !(name in files))) problems.push(`${name} is not a file of the page`);
  for (const [name, content] of Object.entries(files)) {
    const there = await readFile(join(TARGET, name)).catch(() => undefined);
    if (!there?.equals(content)) problems.push(`${name} is not what the sources give: run \`node build.mjs\` in ui/`);
  }
  return problems;
}

/** Returns what is wrong with the sizes of the files. */
function measure(files) {
  const bytes = (name) => gzipSync(files[name], { level: 9 }).length;
  const first = FIRST_LOAD.reduce((sum, name) => sum + bytes(name), 0);
  const all = Object.keys(files).reduce((sum, name) => sum + bytes(name), 0);
  const sizes = [
    { what: "the first load", size: first, largest: LARGEST_FIRST_LOAD },
    ...Object.entries(LARGEST).map(([what, largest]) => ({ what, size: bytes(what), largest })),
    { what: "all files", size: all, largest: LARGEST_PAGE },
  ];
  for (const { what, size, largest } of sizes) console.log(`${what}: ${size} bytes of ${largest}`);
  console.log(FIRST_LOAD.map((name) => `${name} ${bytes(name)}`).join(", "));
  return sizes
    .filter(({ size, largest }) => size > largest)
    .map(({ what, size, largest }) => `${what}: ${size} bytes, and ${largest} is the limit`);
}

/** Returns what the sources must not contain: a way from text to HTML or to code. */
async function forbidden() {
  const words =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function|\sstyle=/;
  const problems = [];
  for (const path of await list("src")) {
    const text = await readFile(join(HERE, path), "utf8");
    const lines = text.split("\n").entries();
    for (const [index, line] of lines) if (words.test(line)) problems.push(`${path}:${index + 1} has ${line.match(words)[0]}`);
  }
  return problems;
}

async function main([option]) {
  const files = await buildAll();
  const problems = [...measure(files), ...(await forbidden())];
  if (option === "--check") problems.push(...(await check(files)));
  else await write(files);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  if (option !== "--watch") return;
  for await (const _ of watch(join(HERE, "src"), { recursive: true })) {
    await buildAll().then(write, (error) => console.error(error.message));
  }
}

await main(process.argv.slice(2));
