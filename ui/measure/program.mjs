// What the page costs the program that contains it.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Server } from "../tests/server.mjs";
import { imported } from "../tests/sessions.mjs";
import { names, PAGE, transferred } from "./files.mjs";
import { percentile, summary } from "./numbers.mjs";
import { stopAll, stopLater } from "./stage.mjs";

export const PATIENCE_S = 240;

const RUNS = 9;

const WITHOUT = "[page]\nenabled = false\n";

/** In the control, a server with the page starts later and keeps more than the page. */
const SLOW = ["sh", "-c", 'sleep 0.3; exec "$0" "$@"'];

export async function measure({ control }) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) {
    // One after the other, so that a machine that becomes slower changes both.
    const without = await observe({ configuration: WITHOUT });
    const page = await observe({ through: control ? SLOW : [], isServed: true, isFull: control });
    runs.push({ without, page });
  }
  const median = (of) => percentile(runs.map(of), 0.5);
  const least = median(({ without }) => without.idle.own);
  const added = median(({ page }) => page.idle.own) - least;
  const addedLater = median(({ page }) => page.served.own) - least;
  const ready = summary(runs.map(({ page }) => page.ready));
  return [
    { what: "files in the program", figure: (await embedded()) / 1024, unit: "KiB" },
    { what: "ready after, with the page", unit: "ms", most: 20, ...ready },
    { what: "… without", unit: "ms", ...summary(runs.map(({ without }) => without.ready)) },
    { what: "idle memory added by the page", figure: added, unit: "KiB", most: 100, note: "memory of its own" },
    { what: "… after it was loaded once", figure: addedLater, unit: "KiB", note: "memory of its own" },
    { what: "idle, all memory, without the page", figure: median(({ without }) => without.idle.all), unit: "KiB" },
    { what: "… with the page", figure: median(({ page }) => page.idle.all), unit: "KiB" },
    { what: "… after it was loaded once", figure: median(({ page }) => page.served.all), unit: "KiB" },
  ];
}

/** Starts a server, and returns when it was ready and what it holds. */
async function observe({ configuration, through, isServed = false, isFull = false }) {
  const server = await Server.start({ configuration, through });
  stopLater(() => server.stop());
  if (isFull) await imported(server, 5_000, { text: (number) => [`Question ${number}.`, "An answer. ".repeat(20)] });
  const { ready } = server;
  const idle = await memory(server.pid);
  let served;
  if (isServed) {
    for (const name of await names()) await transferred(server, name);
    served = await memory(server.pid);
  }
  await stopAll();
  return { ready, idle, served };
}

/** Returns the memory of a process in KiB: its resident set, and what of it is no file. */
async function memory(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m"))[1]);
  return { all: read("VmRSS"), own: read("RssAnon") };
}

/** Returns the size of the files that the program contains, in bytes. */
async function embedded() {
  const sizes = (await readdir(PAGE)).map(async (name) => (await stat(join(PAGE, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
