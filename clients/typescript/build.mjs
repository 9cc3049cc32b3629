// Builds the package into dist/. Its sources are those of the page's client, in ui/src/net; esbuild and TypeScript are
// those of the page: `npm ci --ignore-scripts` in ui/ installs them.

import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "..", "..");
const PAGE = join(ROOT, "ui");
const TARGET = join(HERE, "dist");

/** How large the code may be, in bytes of gzip, without its comments. */
const LARGEST = 5_000;

const { build } = createRequire(join(PAGE, "package.json"))("esbuild");

async function bundle(options) {
  const { outputFiles } = await build({
    bundle: true,
    charset: "utf8",
    entryPoints: [join(PAGE, "src", "net", "published.ts")],
    format: "esm",
    target: ["es2022", "node20"],
    write: false,
    ...options,
  });
  return Buffer.from(outputFiles[0].contents);
}

/** Writes the declarations. TypeScript leaves the names of files as they are, and Node.js needs their endings. */
function declare() {
  execFileSync(process.execPath, [join(PAGE, "node_modules", "typescript", "bin", "tsc"), "--project", HERE], {
    stdio: "inherit",
  });
  for (const name of readdirSync(TARGET).filter((name) => name.endsWith(".d.ts"))) {
    const path = join(TARGET, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/(from |import\()"(\.\/[^".]+)"/g, '$1"$2.js"'));
  }
}

rmSync(TARGET, { recursive: true, force: true });
declare();
writeFileSync(join(TARGET, "index.js"), await bundle({}));
copyFileSync(join(ROOT, "LICENSE"), join(TARGET, "LICENSE"));
const bytes = gzipSync(await bundle({ minify: true }), { level: 9 }).length;
console.log(`@turnkit/client: ${bytes} bytes of ${LARGEST}`);
if (bytes > LARGEST) throw new Error(`the client has ${bytes} bytes; ${LARGEST} is the limit`);
