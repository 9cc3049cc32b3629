// Measures what the main thread of a page does. Entries of long tasks leave out layout, so Chromium's trace is read.

import { launch } from "./browser.mjs";

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/**
 * Records what the main thread does while `play` runs. Returns the longest task and the sum of all tasks, in
 * milliseconds of the processor: other programs of the machine do not count. Only one test at a time may record.
 */
export async function busy(page, play) {
  return measure(await record(page, play));
}

/** Returns the events of Chromium's trace while `play` runs. */
export async function record(page, play) {
  const browser = await launch();
  await browser.startTracing(page, { categories: CATEGORIES });
  try {
    await play();
    // What was asked for is drawn before the second of two frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  } catch (error) {
    await browser.stopTracing();
    throw error;
  }
  const trace = await browser.stopTracing();
  return JSON.parse(trace.toString()).traceEvents;
}

/** Sums up the tasks of the main threads of pages. */
export function measure(events) {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const isMain = ({ pid, tid }) => threads.has(`${pid} ${tid}`);
  const tasks = events.filter((event) => event.name === "RunTask" && event.ph === "X" && isMain(event));
  const longest = tasks.reduce((most, task) => ((task.tdur ?? 0) > (most?.tdur ?? 0) ? task : most), undefined);
  const inside = longest ? events.filter((event) => isWithin(event, longest)) : [];
  return {
    longest: (longest?.tdur ?? 0) / 1_000,
    total: tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000,
    // What took the time of the longest task, for the message of a test that fails.
    parts: inside
      .sort((a, b) => b.tdur - a.tdur)
      .slice(0, 5)
      .map(({ name, tdur, args }) => `${args?.data?.functionName || name} ${Math.round(tdur / 1_000)} ms`),
  };
}

function isWithin({ pid, tid, ts, tdur, ph }, task) {
  return ph === "X" && tdur > 1_000 && pid === task.pid && tid === task.tid && ts > task.ts && ts < task.ts + task.dur;
}
