import { jsonTokens } from "../../later/json";

/** A value of a JSON text. It keeps the text, because reading numbers and writing them again would change long ones. */
export interface JsonNode {
  /** The name in an object, or the number in an array. Absent at the top. */
  key?: string;
  /** The value as it is written. */
  raw: string;
  /** The characters of a string. */
  string?: string;
  /** The members of an object or array. */
  children?: JsonNode[];
  isArray?: boolean;
}

/** The depth beyond which a text is shown as it is. */
const DEEPEST = 100;

/** Returns the object or array that a text holds; `undefined` for everything else. */
export function parseContainer(text: string): JsonNode | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    JSON.parse(text);
    return new Reader(text).read();
  } catch {
    return undefined;
  }
}

/** Reads a text that is known to be JSON. Repeated names of an object stay. */
class Reader {
  readonly #text: string;
  readonly #tokens: RegExpStringIterator<RegExpExecArray>;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = jsonTokens(text);
  }

  read(): JsonNode {
    return this.#value(this.#next(), 0);
  }

  #next(): RegExpExecArray {
    const { value, done } = this.#tokens.next();
    if (done) throw new SyntaxError("the text has ended");
    return value;
  }

  #value(token: RegExpExecArray, depth: number): JsonNode {
    if (depth > DEEPEST) throw new RangeError("the value is nested too deep");
    const [raw] = token;
    if (raw === "{") return this.#members(token, "}", depth);
    if (raw === "[") return this.#members(token, "]", depth);
    return raw.startsWith('"') ? { raw, string: JSON.parse(raw) as string } : { raw };
  }

  #members(first: RegExpExecArray, last: string, depth: number): JsonNode {
    const children: JsonNode[] = [];
    let token = this.#next();
    while (token[0] !== last) {
      if (token[0] === ",") token = this.#next();
      let key = String(children.length);
      if (last === "}") {
        key = JSON.parse(token[0]) as string;
        this.#next();
        token = this.#next();
      }
      children.push({ ...this.#value(token, depth + 1), key });
      token = this.#next();
    }
    return { raw: this.#text.slice(first.index, token.index + 1), children, isArray: last === "]" };
  }
}

/** Returns the number of values, at most `limit`. */
export function countValues(node: JsonNode, limit: number): number {
  let count = 1;
  for (const child of node.children ?? []) {
    if (count >= limit) return limit;
    count += countValues(child, limit - count);
  }
  return count;
}
