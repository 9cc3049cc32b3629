import { loadUnsent, saveUnsent } from "../../later/unsent";
import type { Interaction } from "../../shared";
import type { Entry } from "../question/answer";

/** What a person has written for a decision, and not sent yet. */
export interface Written {
  note?: string;
  /** Changed arguments, as JSON. */
  arguments?: string;
  /** The answer to a question, as a text or as JSON. */
  answer?: string;
  /** What is in the fields of a form, by their keys. */
  entries?: [key: string, entry: Entry][];
}

/** Returns what was written for an interaction, before a reload or on another screen. */
export function writtenFor({ session_id, id }: Interaction): Written {
  const { note, arguments: changed, answer, entries } = loadUnsent("decision", session_id, id);
  return {
    ...(typeof note === "string" && { note }),
    ...(typeof changed === "string" && { arguments: changed }),
    ...(typeof answer === "string" && { answer }),
    ...(Array.isArray(entries) && { entries: entries.filter(isEntry) }),
  };
}

/** Keeps what was written for an interaction. An `undefined` field is removed. */
export function keepWritten(
  interaction: Interaction,
  changed: { [Field in keyof Written]: Written[Field] | undefined },
): void {
  saveUnsent("decision", interaction.session_id, interaction.id, { ...writtenFor(interaction), ...changed });
}

/** Removes what was written for an interaction. */
export function forgetWritten({ session_id, id }: Interaction): void {
  saveUnsent("decision", session_id, id, {});
}

function isEntry(entry: unknown): entry is [string, Entry] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const value: unknown = entry[1];
  if (Array.isArray(value)) return value.every((place) => typeof place === "number");
  return typeof value === "string" || typeof value === "boolean";
}
