// The files of the page.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The folder of the built files. */
export const PAGE = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "crates", "server", "page");

/** Returns the names of the files that the server offers. */
export async function names() {
  const { files } = JSON.parse(await readFile(join(PAGE, "BUILD.json"), "utf8"));
  return Object.keys(files);
}

/** Returns how many bytes the body of a file has on its way, compressed if the client accepts that. */
export async function transferred(server, name, { isCompressed = true } = {}) {
  const address = `${server.url}/${name === "index.html" ? "" : name}`;
  const request = http.get(address, { headers: { "accept-encoding": isCompressed ? "gzip" : "identity" } });
  const [response] = await once(request, "response");
  const pieces = [];
  for await (const piece of response) pieces.push(piece);
  if (response.statusCode !== 200) throw new Error(`${address} was answered with ${response.statusCode}`);
  const body = Buffer.concat(pieces);
  // A server that reads the page from a folder, as debug builds do, compresses nothing.
  return isCompressed && !response.headers["content-encoding"] ? gzipSync(body).length : body.length;
}
