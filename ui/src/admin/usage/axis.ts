/** The most steps of an axis. */
const MOST_STEPS = 5;

/**
 * Returns the marks of an axis from 0 to at least the highest value, in whole and round steps. There are none if all
 * values are 0.
 */
export function axisOf(highest: number): number[] {
  if (highest <= 0) return [];
  const size = Math.max(1, 10 ** Math.floor(Math.log10(highest / MOST_STEPS)));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((step) => highest / step <= MOST_STEPS) ?? 10 * size;
  const steps = Math.ceil(highest / step);
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}
