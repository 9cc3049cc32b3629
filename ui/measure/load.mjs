// How long a browser that has never seen the page needs until a person can type.

import { burnOnce } from "./burn.mjs";
import { summary } from "./numbers.mjs";
import { serve, visit } from "./stage.mjs";
import { noteTypable, whenTypable } from "./typable.mjs";

export const PATIENCE_S = 180;

const RUNS = 7;

export async function measure({ control }) {
  const { server } = await serve();
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    // A person has a cache of their own.
    const person = await visit(server.url, { prepare: noteTypable, spoil: control && burnOnce });
    times.push(await whenTypable(await person.open()));
    await person.leave();
  }
  return [{ what: "cold load until one can type", unit: "ms", most: 350, ...summary(times) }];
}
