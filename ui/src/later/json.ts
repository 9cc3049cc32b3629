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
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs)) {
    const line = () => `\n${"  ".repeat(depth)}`;
    if (token === "{" || token === "[") {
      depth += 1;
      lines += token + line();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      lines = /[{[]\s*$/.test(lines) && lines.trimEnd() !== "" ? lines.trimEnd() + token : lines + line() + token;
    } else if (token === ",") lines += token + line();
    else lines += token === ":" ? ": " : token;
  }
  return lines;
}
