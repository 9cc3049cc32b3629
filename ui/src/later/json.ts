/** Returns the tokens of a text that is known to be JSON. White space between them is left out. */
export function jsonTokens(json: string): RegExpStringIterator<RegExpExecArray> {
  return json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs);
}

/**
 * Breaks JSON into lines. Only white space changes, so that what is shown is what runs: reading and writing it would
 * change long numbers and repeated keys. A text that is not JSON stays as it is.
 */
export function indent(json: string): string {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let lines = "";
  let depth = 0;
  let last = "";
  for (const [token] of jsonTokens(json)) {
    const isClosing = token === "}" || token === "]";
    const isFirst = last === "{" || last === "[";
    if (isFirst) depth += 1;
    if (isClosing) depth -= 1;
    // What is empty stays in one line.
    if (last === "," || isFirst !== isClosing) lines += `\n${"  ".repeat(depth)}`;
    lines += token === ":" ? ": " : token;
    last = token;
  }
  return lines;
}
