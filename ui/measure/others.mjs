// How many bytes of code pages with other libraries load at first. They are installed into a temporary folder.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { stopLater } from "./stage.mjs";

export const PATIENCE_S = 600;

const HERE = dirname(fileURLToPath(import.meta.url));

const REACT = ["react@19.3.1", "react-dom@19.3.1"];

const PAGES = {
  "assistant-ui": [
    ...REACT,
    "@ag-ui/client@0.0.59",
    "@assistant-ui/react@0.15.21",
    "@assistant-ui/react-ag-ui@0.0.57",
    "@assistant-ui/react-streamdown@0.3.13",
  ],
  "ai-sdk": [...REACT, "@ai-sdk/react@4.0.177", "ai@7.0.173", "streamdown@2.7.1"],
};

/** A comparison has no goal, and so no control. */
export async function measure({ control }) {
  if (control) return [];
  const rows = [];
  for (const [name, packages] of Object.entries(PAGES)) {
    const figure = await firstLoad(name, packages);
    const what = `first load of a page with ${name}`;
    rows.push({ what, figure, unit: "bytes", note: "scripts alone, without styles" });
  }
  return rows;
}

/** Builds the least page with these packages, and returns the size of what it loads before it runs. */
async function firstLoad(name, packages) {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-others-"));
  stopLater(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  await install(folder, packages);
  await copyFile(join(HERE, "others", `${name}.jsx`), join(folder, "page.jsx"));
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
    outdir: "built",
    splitting: true,
    write: false,
  });
  const sizes = [...loadedAtOnce(metafile.outputs, "built/page.js")].map((path) => {
    const { contents } = outputFiles.find((file) => file.path === join(folder, path));
    return gzipSync(contents, { level: 9 }).length;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
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
