// A server with a model and a person for one measure, which are stopped whatever happens.

import { close, Person } from "../tests/browser.mjs";
import { Model, Server } from "../tests/server.mjs";

/** What has to be stopped, the newest last. */
const open = [];

/** Stops what is running: the browser, the server and the model, each by its process. */
export async function stopAll() {
  while (open.length > 0) await open.pop()().catch(() => undefined);
}

/** Has something stopped at the end of the measure. */
export function stopLater(stop) {
  open.push(async () => stop());
}

/** Starts a server whose model answers from a script. */
export async function serve({ configuration, through } = {}) {
  const model = await new Model().start();
  stopLater(() => model.stop());
  const server = await Server.start({ model, configuration, through });
  stopLater(() => server.stop());
  return { model, server };
}

/**
 * Returns a person with an empty browser at an address. `prepare` runs in each tab before the page does, and so does
 * `spoil`, with which a control makes the page worse. Whatever that page or one that is foreign reports is allowed.
 */
export async function visit(url, { prepare, spoil, isForeign = false } = {}) {
  stopLater(close);
  const person = await Person.at(`${url}/`, { allowed: spoil || isForeign ? /./ : undefined });
  for (const script of [prepare, spoil]) if (script) await person.prepare(script);
  return person;
}

/** Runs a measure, stops all that it started, and fails if it takes longer than this many seconds. */
export async function within(seconds, measure) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${seconds} seconds`)), seconds * 1_000);
  });
  const measured = measure();
  // What is stopped too late must not end the program.
  measured.catch(() => undefined);
  try {
    return await Promise.race([measured, late]);
  } finally {
    clearTimeout(timer);
    await stopAll();
  }
}
