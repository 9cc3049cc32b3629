import { draw, type Outline } from "./dom";
import { type Block, read, sizeOf } from "./lexer";
import { PlainText } from "./pieces";

/** The length from which an open block grows as plain text, and is read when it is complete. */
const PLAIN_FROM = 8 * 1024;

/** The most tokens of a text that become elements. What comes after them is shown as it was written. */
const MOST_TOKENS = 6_000;

/**
 * Draws a text in markdown while it grows. Blocks that are complete are drawn once and never touched again; only the
 * last one is drawn again with each addition.
 */
export class MarkdownStream {
  /** Holds what is drawn of the text after `#done`. */
  readonly #open: HTMLElement;
  readonly #root: HTMLElement;
  #text = "";
  #hasEnded = false;
  /** The text that is drawn for good. */
  #done = "";
  /** The headings in it, and the number of its tokens. */
  #outline: Outline = { level: 1 };
  #tokens = 0;
  /** The open block as plain text, if it is too long to be read again and again. */
  #plain: PlainText | undefined;
  /** Whether a definition has been read, which may give links before it their addresses. */
  #hasDefinitions = false;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#open = document.createElement("div");
    this.#open.className = "open";
    root.replaceChildren(this.#open);
  }

  /**
   * Draws the whole text, which begins with what was drawn before unless it was withdrawn. A text that goes on after its
   * end is another one, although it may begin with the same words.
   */
  update(written: string, ended: boolean): void {
    const text = written.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.#done) || (this.#hasEnded && text !== this.#text)) this.#reset();
    this.#hasEnded = ended;
    const rest = text.slice(this.#done.length);
    this.#text = text;
    if (this.#tokens > MOST_TOKENS || (!ended && this.#grows(rest))) return this.#drawPlain(rest);
    const blocks = read(rest);
    this.#hasDefinitions ||= blocks.some((block) => block.type === "def");
    if (ended && this.#hasDefinitions && this.#done) {
      this.#reset();
      const all = read(text);
      return this.#settle(all, all.length);
    }
    this.#settle(blocks, ended ? blocks.length : complete(blocks));
  }

  /** Reports whether there is a long block, and the addition does not complete it. */
  #grows(rest: string): boolean {
    const shown = this.#plain?.text;
    if (!shown || !rest.startsWith(shown)) return false;
    return !/\n\s*\n|\n\s*(?:```|~~~)/.test(rest.slice(shown.length - 4));
  }

  /** Draws the first blocks for good, and the others as the open end. */
  #settle(blocks: Block[], settled: number): void {
    const nodes: Node[] = [];
    let done = 0;
    for (; done < settled && this.#tokens <= MOST_TOKENS; done += 1) {
      const size = sizeOf(blocks[done] as Block);
      if (size <= MOST_TOKENS) this.#tokens += size;
      nodes.push(...drawn(blocks[done] as Block, this.#outline));
    }
    const open = blocks.slice(done);
    const rest = rawOf(open);
    this.#open.before(...nodes);
    this.#done = this.#text.slice(0, this.#text.length - rest.length);
    if (rest.length >= PLAIN_FROM || this.#tokens > MOST_TOKENS) return this.#drawPlain(rest);
    this.#plain = undefined;
    const outline = { ...this.#outline, isOpen: true };
    this.#open.replaceChildren(...open.flatMap((block) => drawn(block, outline)));
  }

  #drawPlain(rest: string): void {
    if (this.#plain && rest.startsWith(this.#plain.text)) {
      return this.#plain.append(rest.slice(this.#plain.text.length));
    }
    this.#plain = new PlainText(rest);
    this.#open.replaceChildren(this.#plain.element);
  }

  #reset(): void {
    this.#open.replaceChildren();
    this.#root.replaceChildren(this.#open);
    this.#done = "";
    this.#outline = { level: 1 };
    this.#tokens = 0;
    this.#plain = undefined;
    this.#hasDefinitions = false;
  }
}

function drawn(block: Block, outline: Outline): Node[] {
  return sizeOf(block) > MOST_TOKENS ? [new PlainText(block.raw).element] : draw(block, outline);
}

function rawOf(blocks: Block[]): string {
  return blocks.map((block) => block.raw).join("");
}

/** Returns how many blocks no addition can change: those before a block of which one line is complete. */
function complete(blocks: Block[]): number {
  const [last, before] = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index])).reverse();
  if (last === undefined) return 0;
  return blocks[last]?.raw.includes("\n") ? last : (before ?? 0);
}
