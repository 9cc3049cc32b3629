// A long answer that arrives fast, while a person types.

import { ended, say } from "../tests/browser.mjs";
import { paced } from "../tests/server.mjs";
import { burnAlways } from "./burn.mjs";
import { COUNT, follow, PER_SECOND, prepareToFollow } from "./follow.mjs";
import { serve, visit } from "./stage.mjs";
import { tokens } from "./tokens.mjs";

export const PATIENCE_S = 420;

/** The control needs fewer tokens to be seen. */
const COUNT_OF_CONTROL = 10_000;

export async function measure({ control }) {
  const count = control ? COUNT_OF_CONTROL : COUNT;
  const fast = await observe({ count, slowDown: 1, control });
  const slow = await observe({ count, slowDown: 4, control });
  const longest = `longest task ${Math.round(fast.longest)} ms`;
  const what = `${count.toLocaleString("en")} tokens at ${PER_SECOND}/s`;
  return [
    { what: `${what}: main thread`, figure: fast.share, unit: "% CPU", most: 30, note: longest },
    { what: "… dropped frames", ...fast.frames, unit: "%", most: 3 },
    { what: "… key to paint, p98", ...fast.keys, unit: "ms", most: 80 },
    { what: "… end late by", figure: fast.late, unit: "ms" },
    { what: "… at 4× slow-down: dropped frames", ...slow.frames, unit: "%", most: 30 },
    { what: "… key to paint, p98", ...slow.keys, unit: "ms", most: 200 },
    { what: "… end late by", figure: slow.late, unit: "ms", most: 500 },
  ];
}

/** Has the page follow an answer, and returns what it did and by how many milliseconds it drew the end late. */
async function observe({ count, slowDown, control }) {
  const { model, server } = await serve();
  let sent;
  model.answersWith(paced(tokens(count), PER_SECOND, () => {
    sent = Date.now();
  }));
  const person = await visit(server.url, { spoil: control && burnAlways });
  await prepareToFollow(person);
  const page = await person.open();
  const followed = await follow(page, { count, slowDown, begin });
  await ended(page);
  await person.leave();
  return { ...followed, late: followed.seen - sent };
}

async function begin(page) {
  await say(page, "Write");
  await page.getByRole("button", { name: "Stop" }).waitFor();
}
