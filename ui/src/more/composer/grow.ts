/** Measuring a longer text would take longer than a frame. */
const LONGEST_MEASURED = 20_000;

/**
 * Makes a field as high as its text; the style sheet has the limit. `field-sizing: content` would do the same, but makes
 * keys slow while an answer grows: in Chromium 3 to 4 times as long from a key to its paint.
 */
export function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  const isLong = field.value.length > LONGEST_MEASURED;
  field.style.height = isLong ? "100vh" : "auto";
  if (!isLong) field.style.height = `${field.scrollHeight + 2}px`;
}
