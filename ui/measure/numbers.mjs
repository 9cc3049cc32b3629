// What several runs have in common.

/** Returns the number below which this share of the numbers lies. */
export function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Returns the median, and the range as a note. */
export function summary(numbers) {
  const round = (number) => Math.round(number * 10) / 10;
  return {
    figure: percentile(numbers, 0.5),
    note: `${numbers.length} runs, ${round(Math.min(...numbers))} to ${round(Math.max(...numbers))}`,
  };
}
