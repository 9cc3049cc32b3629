import type { Tokens } from "marked";
import { strings } from "../strings";
import { colour } from "./colours";
import { copyButton } from "./copy";
import { formula } from "./formulaNode";
import type { Block } from "./lexer";
import { hostBehind, safeAddress, safeImage } from "./links";

// Makes elements of what the lexer read. Text becomes text nodes and nothing else: the page never reads HTML.

const ALIGNED: Record<string, string> = { left: "start", center: "center", right: "end" };

/** What is known of the text before a block. */
export interface Outline {
  /** The level of the last heading. That of the page itself is 1. */
  level: number;
  /** Whether the block may still grow. */
  isOpen?: boolean;
}

/** Returns the nodes of a block. A heading is at most one level below the one before it, so that none is missing. */
export function draw(block: Block, outline: Outline): Node[] {
  switch (block.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      outline.level = Math.min(6, (block as Tokens.Heading).depth + 1, outline.level + 1);
      return [blockOf(`h${outline.level}`, inlines(block))];
    case "paragraph":
      return [blockOf("p", inlines(block))];
    case "footnote":
      return [blockOf("p", [inline({ ...block, type: "mark" }), ...inlines(block)])];
    case "text":
      return "tokens" in block && block.tokens ? inlines(block) : [text(block)];
    case "code":
      return [code(block as Tokens.Code, outline)];
    case "blockquote":
      return [blockOf("blockquote", blocks((block as Tokens.Blockquote).tokens, outline))];
    case "list":
      return [list(block as Tokens.List, outline)];
    case "table":
      return [table(block as Tokens.Table)];
    case "hr":
      return [document.createElement("hr")];
    case "html":
      // HTML of a model is shown, and does nothing.
      return [blockOf("p", [document.createTextNode(block.raw.trimEnd())])];
    default:
      return [inline(block)];
  }
}

function blocks(all: Block[], outline: Outline): Node[] {
  return all.flatMap((block) => draw(block, outline));
}

function inlines(block: Block): Node[] {
  const tokens = "tokens" in block ? block.tokens : undefined;
  return tokens ? tokens.map(inline) : [text(block)];
}

function inline(token: Block): Node {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return element(token.type, inlines(token));
    case "codespan":
      return element("code", [document.createTextNode((token as Tokens.Codespan).text)]);
    case "mark":
      return element("sup", [document.createTextNode((token as Tokens.Generic).label)]);
    case "br":
      return document.createElement("br");
    case "link":
      return link(token as Tokens.Link);
    case "image":
      return image(token as Tokens.Image);
    case "formula":
    case "displayed":
      return formula(token as Tokens.Text);
    case "checkbox":
      return checkbox((token as Tokens.Checkbox).checked);
    case "escape":
    case "text":
      return "tokens" in token && token.tokens ? fragment(inlines(token)) : text(token);
    case "html":
      return document.createTextNode(token.raw);
    default:
      return text(token);
  }
}

function link(token: Tokens.Link): Node {
  const address = safeAddress(token.href);
  const content = inlines(token);
  if (!address) return fragment(content);
  const anchor = element("a", content) as HTMLAnchorElement;
  const host = hostBehind(anchor.textContent ?? "", address);
  if (host) anchor.append(` (${host})`);
  anchor.href = address;
  anchor.title = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.target = "_blank";
  return anchor;
}

/** An image of another server is named, and not loaded: loading it would tell that server what was said. */
function image(token: Tokens.Image): Node {
  const own = safeImage(token.href);
  if (own) {
    const image = document.createElement("img");
    image.src = own;
    image.alt = token.text;
    return image;
  }
  const address = safeAddress(token.href);
  if (!address) return document.createTextNode(token.text || strings.peek().chat.image);
  const host = new URL(address).host;
  const label = [strings.peek().chat.externalImage(host), token.text].filter(Boolean).join(": ");
  const anchor = element("a", [document.createTextNode(label)]) as HTMLAnchorElement;
  anchor.className = "chip";
  anchor.href = address;
  anchor.title = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.target = "_blank";
  return anchor;
}

function code({ text: content, lang }: Tokens.Code, { isOpen }: Outline): Node {
  const figure = element("figure", []);
  figure.className = "code";
  const language = lang?.split(/\s/)[0] ?? "";
  const header = element("figcaption", [document.createTextNode(language), copyButton(() => content)]);
  const inside = element("code", [document.createTextNode(content)]);
  if (!isOpen) colour(inside, language);
  const pre = element("pre", [inside]);
  // What is wider than the screen is scrolled with the keyboard, too.
  pre.tabIndex = 0;
  figure.append(header, pre);
  return figure;
}

function list({ ordered, start, items }: Tokens.List, outline: Outline): Node {
  const drawn = items.map((item) => element("li", blocks(item.tokens, outline)));
  const whole = blockOf(ordered ? "ol" : "ul", drawn);
  if (whole instanceof HTMLOListElement && typeof start === "number") whole.start = start;
  return whole;
}

function checkbox(checked: boolean): Node {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = checked;
  box.disabled = true;
  box.ariaLabel = strings.peek().tasks[checked ? "done" : "open"];
  return box;
}

function table({ header, rows, align }: Tokens.Table): Node {
  const row = (name: string, cells: Tokens.TableCell[]) =>
    element("tr", cells.map((cell, column) => {
      const drawn = element(name, cell.tokens.map(inline));
      const side = align[column];
      if (side) drawn.style.textAlign = ALIGNED[side] ?? "";
      return drawn;
    }));
  const whole = element("table", [
    element("thead", [row("th", header)]),
    element("tbody", rows.map((cells) => row("td", cells))),
  ]);
  const scroller = blockOf("div", [whole]);
  scroller.className = "table";
  scroller.tabIndex = 0;
  return scroller;
}

function text(token: Block): Text {
  // The lexer leaves entities as they are written; only the usual ones are read.
  const content = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return document.createTextNode(entities(content));
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: "\u00a0",
};

function entities(content: string): string {
  return content.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

function element(name: string, content: Node[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Makes a block, which has the direction of its own text. */
function blockOf(name: string, content: Node[]): HTMLElement {
  const made = element(name, content);
  made.dir = "auto";
  return made;
}

function fragment(content: Node[]): DocumentFragment {
  const made = document.createDocumentFragment();
  made.append(...content);
  return made;
}
