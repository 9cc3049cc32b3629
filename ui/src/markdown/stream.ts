import { draw, type Outline } from "./dom";
import { type Block, read } from "./lexer";

/** The length from which an open block grows as plain text, and is read when it is complete. */
const PLAIN_FROM = 8 * 1024;

/**
 * Draws a text in markdown while it grows. Blocks that are complete are drawn once and never touched again; only the
 * last one is drawn again with each addition.
 */
export class MarkdownStream {
  /** Holds what is drawn of the text after `#done`. */
  readonly #open: HTMLElement;
  readonly #root: HTMLElement;
  /** The text that is drawn for good. */
  #done = "";
  /** The headings in it. */
  #outline: Outline = { level: 1 };
  /** The open block as plain text, if it is too long to be read again and again. */
  #plain: Text | undefined;
  /** Whether a definition has been read, which may give links before it their addresses. */
  #hasDefinitions = false;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#open = document.createElement("div");
    this.#open.className = "open";
    root.replaceChildren(this.#open);
  }

  /** Draws the whole text, which begins with what was drawn before unless it was withdrawn. */
  update(written: string, ended: boolean): void {
    const text = written.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.#done)) this.#reset();
    const rest = text.slice(this.#done.length);
    if (!ended && this.#grow(rest)) return;
    const blocks = read(rest);
    if (!blocks) return this.#drawPlain(rest);
    this.#hasDefinitions ||= blocks.some((block) => block.type === "def");
    if (ended && this.#hasDefinitions && this.#done) {
      const all = read(text);
      if (all) {
        this.#reset();
        return this.#settle(all, all.length);
      }
    }
    this.#settle(blocks, ended ? blocks.length : complete(blocks));
  }

  /** Appends to a long block. Returns `false` if there is none, or if the addition may complete it. */
  #grow(rest: string): boolean {
    const shown = this.#plain?.data;
    if (shown === undefined || !rest.startsWith(shown)) return false;
    const added = rest.slice(shown.length);
    if (/\n\s*\n|\n\s*(?:```|~~~)/.test(shown.slice(-4) + added)) return false;
    this.#plain?.appendData(added);
    return true;
  }

  /** Draws the first blocks for good, and the others as the open end. */
  #settle(blocks: Block[], settled: number): void {
    const done = blocks.slice(0, settled);
    const open = blocks.slice(settled);
    this.#open.before(...done.flatMap((block) => draw(block, this.#outline)));
    this.#done += rawOf(done);
    const rest = rawOf(open);
    if (rest.length >= PLAIN_FROM) return this.#drawPlain(rest);
    this.#plain = undefined;
    const outline = { ...this.#outline };
    this.#open.replaceChildren(...open.flatMap((block) => draw(block, outline)));
  }

  #drawPlain(rest: string): void {
    const paragraph = document.createElement("p");
    paragraph.className = "plain";
    this.#plain = document.createTextNode(rest);
    paragraph.append(this.#plain);
    this.#open.replaceChildren(paragraph);
  }

  #reset(): void {
    this.#open.replaceChildren();
    this.#root.replaceChildren(this.#open);
    this.#done = "";
    this.#outline = { level: 1 };
    this.#plain = undefined;
    this.#hasDefinitions = false;
  }
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
