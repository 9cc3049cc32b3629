// What a page does while it follows a long answer and a person types.

import { measure as sumTasks, record } from "../tests/trace.mjs";
import { missed, nextFrame, noteFrames } from "./frames.mjs";
import { keyToPaint, noteKeys, typeUntil } from "./keys.mjs";

/** How many tokens a second has. */
export const PER_SECOND = 500;

/** How many tokens the answer has. */
export const COUNT = 20_000;

/** An answer that ends later than this, in milliseconds, is not measured. */
const LATEST = 60_000;

/** What has to run before the page does. */
export async function prepareToFollow(person) {
  await person.prepare(noteKeys);
  await person.prepare(noteFrames);
}

/**
 * Has a page follow an answer with a processor that is this many times slower. `begin` asks for the answer and waits
 * until it is under way; its end is there when the page's status says so. Returns the time of the clock at which the
 * page had drawn the end, and what it did until then.
 */
export async function follow(page, { count = COUNT, slowDown, begin }) {
  page.setDefaultTimeout(LATEST);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowDown });
  const first = await nextFrame(page);
  let frames;
  let seen;
  const events = await record(page, async () => {
    await begin(page);
    const end = noteEnd(page, (count / PER_SECOND) * 1_000 + LATEST).then((moment) => {
      seen = moment;
    });
    await typeUntil(page, end);
    frames = await missed(page, first);
  });
  const keys = await keyToPaint(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const { total, longest } = sumTasks(events);
  return { share: (total / spanOf(events)) * 100, longest, frames, keys, seen };
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
