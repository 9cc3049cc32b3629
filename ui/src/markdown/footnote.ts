import type { TokenizerExtensionFunction } from "marked";

/** Reads a footnote with its indented lines. Markdown alone takes it for the address of a link. */
export const readFootnote: TokenizerExtensionFunction = function (source) {
  const [raw, label, text = ""] = /^ {0,3}\[\^([^\s[\]]+)\]:[ \t]*(.*(?:\n[ \t]+\S.*)*)\n?/.exec(source) ?? [];
  return raw ? { type: "footnote", raw, label, tokens: this.lexer.inline(text) } : undefined;
};

/** Reads the mark in a text that refers to a footnote. */
export const readMark: TokenizerExtensionFunction = (source) => {
  const [raw, label] = /^\[\^([^\s[\]]+)\](?!\()/.exec(source) ?? [];
  return raw ? { type: "mark", raw, label } : undefined;
};
