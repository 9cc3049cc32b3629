import { Lexer, type Token, type Tokens } from "marked";
import { EXTENSIONS } from "./extensions";
import { sectionsOf } from "./limits";

/** A block of a text: a paragraph, a list, a table. `raw` is the text that it was read from. */
export type Block = Token;

/** The type of a block that is shown as it was written. */
export const PLAIN = "plain";

/** The deepest nesting of elements. */
const DEEPEST = 64;

/** Breaking a word of 64 KiB into lines takes half a second. */
const LONG_WORD = /\S{4096}/;

/** Returns the blocks of a text. What would take the lexer too long is plain. */
export function read(text: string): Block[] {
  try {
    const lexer = new Lexer({ gfm: true, extensions: EXTENSIONS });
    for (const { raw, kind } of sectionsOf(text)) {
      if (kind === "plain") lexer.tokens.push(plain(raw));
      else lexer.blockTokens(raw, lexer.tokens);
    }
    // The lexer adds to its list while it works.
    for (const { src, tokens } of lexer.inlineQueue) lexer.inlineTokens(src, tokens);
    return lexer.tokens;
  } catch {
    return [plain(text)];
  }
}

function plain(raw: string): Block {
  return { type: PLAIN, raw, text: raw };
}

/**
 * Returns how many tokens a block consists of: what it costs to draw. One that must not be drawn has no end of them.
 */
export function sizeOf(block: Block, depth = 0): number {
  const { type, raw, tokens = [], items = [], header = [], rows = [] } = block as Shape;
  if (type === PLAIN || depth > DEEPEST) return Infinity;
  const inside = [...tokens, ...items, ...[header, ...rows].flatMap((cells) => cells.flatMap((cell) => cell.tokens))];
  if (inside.length === 0 && type !== "image" && type !== "code" && LONG_WORD.test(raw)) return Infinity;
  return inside.reduce((size, token) => size + sizeOf(token, depth + 1), 1);
}

/** What the kinds of blocks hold. */
interface Shape {
  type: string;
  raw: string;
  tokens?: Token[];
  items?: Token[];
  header?: Tokens.TableCell[];
  rows?: Tokens.TableCell[][];
}
