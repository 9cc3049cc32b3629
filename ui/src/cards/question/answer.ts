import type { Field, Form } from "./fields";
import type { FieldProblem } from "./problems";

/** What a person has entered: a text, a truth, the place of a choice, or the places of several. */
export type Entry = string | boolean | number[];

export interface Answer {
  value: unknown;
  problems: Map<string, FieldProblem>;
}

/** Returns what is in a field at first. */
export function firstEntry({ kind, initial, choices }: Field): Entry {
  const place = (value: unknown) => {
    return choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  };
  switch (kind) {
    case "boolean":
      return initial === true;
    case "choice": {
      const found = initial === undefined ? -1 : place(initial);
      return found < 0 ? "" : String(found);
    }
    case "choices":
      return Array.isArray(initial) ? initial.map(place).filter((found) => found >= 0) : [];
    default:
      return initial === undefined || initial === null ? "" : String(initial);
  }
}

/** Returns the answer that was entered, and what is wrong with it. */
export function answerOf({ fields, isSingle }: Form, entries: ReadonlyMap<string, Entry>): Answer {
  const problems = new Map<string, FieldProblem>();
  const values: [string, unknown][] = [];
  for (const field of fields) {
    const read = valueOf(field, entries.get(field.key) ?? "");
    if (isProblem(read)) problems.set(field.key, read.problem);
    else if (read.value !== undefined) values.push([field.key, read.value]);
  }
  return { value: isSingle ? values[0]?.[1] : Object.fromEntries(values), problems };
}

type Read = { value: unknown } | { problem: FieldProblem };

function isProblem(read: Read): read is { problem: FieldProblem } {
  return "problem" in read;
}

function valueOf(field: Field, entry: Entry): Read {
  if (typeof entry === "boolean") return { value: entry };
  if (Array.isArray(entry)) {
    if (entry.length === 0 && !field.isRequired) return { value: undefined };
    return { value: entry.map((place) => field.choices[place]?.value) };
  }
  if (entry === "" || (entry.trim() === "" && field.kind !== "text")) {
    // A text may be empty if nothing forbids it, but an empty field is more often one that was missed.
    return field.isRequired ? { problem: { kind: "missing" } } : { value: undefined };
  }
  if (field.kind === "choice") return { value: field.choices[Number(entry)]?.value };
  return field.kind === "text" ? readText(field, entry) : readNumber(field, entry);
}

function readText({ shortest = 0, longest = Number.POSITIVE_INFINITY }: Field, entry: string): Read {
  // JSON Schema counts characters, not the halves of which some consist.
  const { length } = [...entry];
  if (length < shortest) return { problem: { kind: "short", limit: String(shortest) } };
  if (length > longest) return { problem: { kind: "long", limit: String(longest) } };
  return { value: entry };
}

function readNumber(field: Field, entry: string): Read {
  const { kind, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = field;
  const value = Number(entry.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2"));
  if (!Number.isFinite(value)) return { problem: { kind: "number" } };
  if (kind === "integer" && !Number.isInteger(value)) return { problem: { kind: "integer" } };
  if (value < least) return { problem: { kind: "least", limit: String(least) } };
  if (value > most) return { problem: { kind: "most", limit: String(most) } };
  return { value };
}
