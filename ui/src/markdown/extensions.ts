import type { MarkedOptions } from "marked";
import { readFootnote, readMark } from "./footnote";
import { readFormula, readFormulaLines } from "./formula";

/** What the lexer reads besides markdown: formulas and footnotes. */
export const EXTENSIONS: MarkedOptions["extensions"] = {
  renderers: {},
  childTokens: {},
  block: [readFormulaLines, readFootnote],
  inline: [readFormula, readMark],
  startBlock: [(source) => /^.*\n(?:.+\n)*?(?= {0,3}(?:\$\$(?!\$)|\\\[))/.exec(source)?.[0].length],
  startInline: [(source) => source.indexOf("$")],
};
