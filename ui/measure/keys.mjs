// How long the page takes from a key to what it paints for it.

import { percentile } from "./numbers.mjs";

/** How long a person waits between two keys, in milliseconds. */
const BETWEEN_KEYS = 120;

/** Entries of shorter events are not made: the browser rounds to 8 ms, and leaves out what is below 16. */
const SHORTEST = 16;

/** Fewer keys say nothing about the slowest of them. */
const FEWEST = 30;

/** Notes the durations of interactions as `window.interactions`, by their ids. It runs before the page does. */
export function noteKeys() {
  window.interactions = new Map();
  const observer = new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      const before = window.interactions.get(interactionId) ?? 0;
      if (interactionId) window.interactions.set(interactionId, Math.max(duration, before));
    }
  });
  observer.observe({ type: "event", durationThreshold: 16 });
}

/** Types until a promise is kept. */
export async function typeUntil(page, promise) {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.focus();
  await page.evaluate(() => {
    window.interactions.clear();
    window.keys = 0;
    addEventListener("keydown", () => {
      window.keys += 1;
    });
  });
  const presses = [];
  for (let key = 0; !isOver; key += 1) {
    // A person does not wait for the page: a slow page must not get fewer keys.
    presses.push(page.keyboard.press("abcdefgh "[key % 9]));
    await Promise.race([over.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, BETWEEN_KEYS))]);
  }
  await over;
  await Promise.all(presses);
}

/** Returns the 98th of 100 keys, in milliseconds. */
export async function keyToPaint(page) {
  const [durations, keys] = await page.evaluate(() => [[...window.interactions.values()], window.keys]);
  const short = Array.from({ length: Math.max(0, keys - durations.length) }, () => SHORTEST);
  const all = [...durations, ...short];
  if (all.length < FEWEST) return { problem: `${all.length} keys are too few` };
  return { figure: percentile(all, 0.98), note: `${keys} keys, the slowest ${Math.max(...all)} ms` };
}
