import { Lexer, type Token } from "marked";

/** A block of a text: a paragraph, a list, a table. `raw` is the text that it was read from. */
export type Block = Token;

/** The deepest nesting of quotes and lists. The lexer takes seconds for a few hundred levels. */
const DEEPEST = 32;

/** The longest block that is read as markdown, in characters. */
const LONGEST = 64 * 1024;

/** The most marks in one paragraph. The lexer compares each with all others, which takes seconds for ten times as many. */
const DENSEST = 4_000;

/** Returns the blocks of a text; `undefined` if it can only be shown as it is. */
export function read(text: string): Block[] | undefined {
  if (text.length > LONGEST || isTooDeep(text) || isTooDense(text)) return undefined;
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    return undefined;
  }
}

/** Reports whether a paragraph has more marks of emphasis, code and links than any text for people. */
function isTooDense(text: string): boolean {
  let marks = 0;
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const found = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (found && (fence === undefined || fence === found)) fence = fence ? undefined : found;
    if (fence !== undefined || line.trim() === "") {
      marks = 0;
      continue;
    }
    for (const character of line) if (MARKS.has(character)) marks += 1;
    if (marks > DENSEST) return true;
  }
  return false;
}

const MARKS = new Set("*_~`[]<!\\");

/** Reports whether a line of the text begins deeper than any text for people. */
function isTooDeep(text: string): boolean {
  const beginning = /^[\t >*+\-\d.)]*/gm;
  for (const [line] of text.matchAll(beginning)) {
    if (line.length <= DEEPEST) continue;
    const levels = line.match(/>|\t| {2}|[*+-](?= )|\d+[.)](?= )/g);
    if (levels && levels.length > DEEPEST && /[>*+\-\d]/.test(line)) return true;
  }
  return false;
}
