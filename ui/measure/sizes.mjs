// How many bytes the page is, as the server sends them.

import { names, transferred } from "./files.mjs";
import { serve, visit } from "./stage.mjs";
import { noteTypable, whenTypable } from "./typable.mjs";

export const PATIENCE_S = 120;

/** How large files that are loaded later may be, in bytes of gzip. */
const LATER = { "admin.js": 45_000, "code.js": 30_000, "math.js": 60_000 };

/** The control asks the server for files that are not compressed. */
export async function measure({ control }) {
  const { server } = await serve();
  const size = (name) => transferred(server, name, { isCompressed: !control });
  const sum = async (files) => (await Promise.all(files.map(size))).reduce((sum, bytes) => sum + bytes, 0);

  const first = await firstLoad(server);
  const files = await names();
  const rowOf = async ([what, most]) => ({ what, figure: await size(what), unit: "bytes", most });
  return [
    { what: "first load", figure: await sum(first), unit: "bytes", most: 70_000, note: first.join(", ") },
    ...(await Promise.all(Object.entries(LATER).map(rowOf))),
    { what: "all files", figure: await sum(files), unit: "bytes", most: 300_000, note: `${files.length} files` },
  ];
}

/** Returns the names of the files that a browser asks for before a person can type. */
async function firstLoad(server) {
  const person = await visit(server.url, { prepare: noteTypable });
  const page = await person.open();
  const typable = await whenTypable(page);
  const requests = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.toJSON()));
  await person.leave();
  const early = requests.filter(({ startTime }) => startTime < typable);
  const paths = early.map(({ name }) => new URL(name).pathname.slice(1));
  return ["index.html", ...paths.filter((path) => path !== "page.json" && !path.startsWith("api/"))];
}
