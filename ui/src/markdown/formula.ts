import type { Token, TokenizerExtensionFunction } from "marked";

/** A formula in a text, without its marks. */
export type FormulaToken = Token & { text: string };

/** The ways to write a formula. The first mark that could end it ends it, or it is text: so prices stay prices. */
const DISPLAYED = /^ {0,3}(?:\$\$(?!\$)((?:\\[^]|\$(?!\$)|[^\\$])+)\$\$(?!\$)|\\\[((?:\\[^()[\]]|[^\\])+)\\\])/;
const IN_LINE = /^(?:\$(?![\s$])((?:\\[^]|[^\\$])+)(?<!\s)\$(?![\d$])|\\\(((?:\\[^()[\]]|[^\\])+)\\\))/;

/** Reads a formula, or a text that began a line like one: its lines belong together, whether it ends or not. */
export const readFormulaLines: TokenizerExtensionFunction = function (source) {
  const [lines] = /^ {0,3}(?:\$\$(?!\$)|\\\[)[^]*?(?=\n[ \t]*(?:\n|```|~~~)|$)/.exec(source) ?? [];
  if (!lines) return undefined;
  const formula = read(lines, DISPLAYED);
  if (formula || !lines.includes("\n")) return formula;
  return { type: "paragraph", raw: lines, text: lines, tokens: this.lexer.inline(lines) };
};

export const readFormula: TokenizerExtensionFunction = (source, before) => {
  if (!/^(?:\$|\\[([])/.test(source)) return undefined;
  // Money has its mark on either side of the number.
  return read(source, DISPLAYED) ?? (/\w$/.test(before.at(-1)?.raw ?? "") ? undefined : read(source, IN_LINE));
};

function read(source: string, pattern: RegExp): FormulaToken | undefined {
  const [raw, dollars, brackets] = pattern.exec(source) ?? [];
  const text = (dollars ?? brackets)?.trim();
  if (!raw || !text || /\n[ \t]*\n/.test(text)) return undefined;
  return { type: pattern === DISPLAYED ? "displayed" : "formula", raw, text };
}
