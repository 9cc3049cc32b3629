/** Measuring a longer text would take longer than a frame. */
const LONGEST_MEASURED = 20_000;

/** Whether the style sheet alone makes a field as high as its text. */
const GROWS = CSS.supports("field-sizing", "content");

/** Makes a field as high as its text; the style sheet has the limit. The page has to be laid out for that. */
export function grow(field: HTMLTextAreaElement | null): void {
  if (!field || GROWS) return;
  const isLong = field.value.length > LONGEST_MEASURED;
  field.style.height = isLong ? "100vh" : "auto";
  if (!isLong) field.style.height = `${field.scrollHeight + 2}px`;
}
