import { visible } from "../shared";

/** Characters that take no room or look like a space, besides those that the page makes visible everywhere. */
const BLANK =
  /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\uffff]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** Makes every character visible that is not seen by itself, except for line breaks and tabs. */
export function reveal(text: string): string {
  return visible(text).replace(BLANK, (character) => {
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
