// A long answer that arrives fast, while a person types.

import { ended, say } from "../tests/browser.mjs";
import { paced } from "../tests/server.mjs";
import { measure as sumTasks, record } from "../tests/trace.mjs";
import { burnAlways } from "./burn.mjs";
import { missed, nextFrame, noteFrames } from "./frames.mjs";
import { keyToPaint, noteKeys, typeUntil } from "./keys.mjs";
import { serve, visit } from "./stage.mjs";
import { tokens } from "./tokens.mjs";

export const PATIENCE_S = 420;

const PER_SECOND = 500;

/** How many tokens an answer has. The control needs fewer to be seen. */
const COUNT = 20_000;
const COUNT_OF_CONTROL = 10_000;

/** An answer that has not ended by then, in milliseconds, counts with this delay. */
const LATEST = 60_000;

export async function measure({ control }) {
  const count = control ? COUNT_OF_CONTROL : COUNT;
  const fast = await follow({ count, slowDown: 1, control });
  const slow = await follow({ count, slowDown: 4, control });
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

/** Has a page follow an answer with a processor that is this many times slower. */
async function follow({ count, slowDown, control }) {
  const { model, server } = await serve();
  let sent;
  model.answersWith(paced(tokens(count), PER_SECOND, () => {
    sent = Date.now();
  }));
  const person = await visit(server.url, { prepare: noteKeys, spoil: control && burnAlways });
  await person.prepare(noteFrames);
  const page = await person.open();
  page.setDefaultTimeout(LATEST);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowDown });
  let seen;
  const first = await nextFrame(page);
  let frames;
  const events = await record(page, async () => {
    await say(page, "Write");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    const end = noteEnd(page, (count / PER_SECOND) * 1_000 + LATEST).then((moment) => {
      seen = moment;
    });
    await typeUntil(page, end);
    frames = await missed(page, first);
  });
  const keys = await keyToPaint(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await ended(page);
  await person.leave();
  const { total, longest } = sumTasks(events);
  return { share: (total / spanOf(events)) * 100, longest, frames, keys, late: seen - sent };
}

/** Returns how long the trace is whose tasks are summed up, in milliseconds. */
function spanOf(events) {
  const tasks = events.filter(({ name, ph }) => name === "RunTask" && ph === "X");
  const begin = tasks.reduce((least, { ts }) => Math.min(least, ts), Infinity);
  const end = tasks.reduce((most, { ts, dur }) => Math.max(most, ts + dur), 0);
  return (end - begin) / 1_000;
}

/** Returns the time of the clock at which the page has drawn the end of the answer. */
function noteEnd(page, timeout) {
  return Promise.race([
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const status = document.querySelector("[role=status]");
          const look = () => {
            if (!/^(Complete|Failed|Stopped)/.test(status.textContent)) return;
            observer.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
          };
          const observer = new MutationObserver(look);
          observer.observe(status, { characterData: true, childList: true, subtree: true });
          look();
        }),
    ),
    new Promise((_, reject) => setTimeout(() => reject(new Error("the answer did not end")), timeout).unref()),
  ]);
}
