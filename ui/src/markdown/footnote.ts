import type { TokenizerExtensionFunction } from "marked";

/** Reads a footnote with its indented lines. Markdown alone takes it for the address of a link. */
export const readFootnote: TokenizerExtensionFunction = function (source) {
  const [raw, label, text = ""] = /^ {0,3}\[\^([\p{L}\p{N}_]+)\]:[ \t]*(.*(?:\n[ \t]+\S.*)*)\n?/u.exec(source) ?? [];
  return raw ? { type: "footnote", raw, label, tokens: this.lexer.inline(text) } : undefined;
};

/** Reads the mark in a text that refers to a footnote: a number or a name, unlike a set of characters in a pattern. */
export const readMark: TokenizerExtensionFunction = (source) => {
  const [raw, label] = /^\[\^([\p{L}\p{N}_]+)\](?!\()/u.exec(source) ?? [];
  return raw ? { type: "mark", raw, label } : undefined;
};
