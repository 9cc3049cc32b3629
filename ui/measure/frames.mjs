// Frames that a page misses because its main thread is busy.

/** How often a screen is drawn, in milliseconds. */
const INTERVAL = 1_000 / 60;

/** Notes the times of the page's frames as `window.moments`. It runs before the page does. */
export function noteFrames() {
  window.moments = [];
  const next = (now) => {
    window.moments.push(now);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Returns the place of the next frame, for `missed`. */
export function nextFrame(page) {
  return page.evaluate(() => window.moments.length);
}

/** Returns the share of the frames since `first` that the page missed, in percent of those that a screen draws. */
export async function missed(page, first) {
  const moments = await page.evaluate((first) => window.moments.slice(first), first);
  if (moments.length < 2) return { problem: "the page drew no frames" };
  const gaps = moments.slice(1).map((moment, index) => moment - moments[index]);
  const due = gaps.map((gap) => Math.max(1, Math.round(gap / INTERVAL)));
  const all = due.reduce((sum, count) => sum + count, 0);
  const lost = all - due.length;
  return { figure: (lost / all) * 100, note: `${lost} of ${all} frames, the longest gap ${Math.round(Math.max(...gaps))} ms` };
}
