import type { HLJSApi, Language } from "highlight.js";

/**
 * Returns the grammar of style sheets. That of the library lists all properties, elements and pseudo-classes, and is as
 * large as four other languages.
 */
export function css(library: HLJSApi): Language {
  const { APOS_STRING_MODE, C_BLOCK_COMMENT_MODE, C_LINE_COMMENT_MODE, QUOTE_STRING_MODE } = library;
  const comments = [C_BLOCK_COMMENT_MODE, C_LINE_COMMENT_MODE];
  const strings = [APOS_STRING_MODE, QUOTE_STRING_MODE];
  const address = { begin: /\burl\((?!["'])/, end: /\)/, scope: "string" };
  const number = { begin: /#[\da-f]{3,8}\b|[+-]?(?:\d*\.)?\d+(?:%|[a-z]+)?/, scope: "number" };
  const variable = { begin: /--[\w-]+|[$@][\w-]+/, scope: "variable" };
  const important = { begin: /!\w+/, scope: "keyword" };
  const builtIn = { begin: /[\w-]+(?=\()/, scope: "built_in" };
  const value = [...comments, ...strings, address, variable, number, important, builtIn];
  return {
    name: "CSS",
    aliases: ["scss", "less"],
    case_insensitive: true,
    contains: [
      ...comments,
      ...strings,
      // A declaration, and not a selector with a pseudo-class.
      { begin: /[\w$@-]+(?=\s*:(?![^;{}]*\{))/, scope: "attribute", starts: { end: /[;}]/, contains: value } },
      { begin: /@[\w-]+/, scope: "keyword" },
      { begin: /#[\w-]+/, scope: "selector-id" },
      { begin: /\.[a-z_-][\w-]*/, scope: "selector-class" },
      { begin: /::?[a-z-]+/, scope: "built_in" },
      { begin: /\[/, end: /\]/, contains: strings },
      number,
      { begin: /\b[a-z][\w-]*/, scope: "selector-tag" },
    ],
  };
}
