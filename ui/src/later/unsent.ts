// What a person writes within a session besides the next message, and has not sent yet. The browser keeps it as it keeps
// the drafts of messages.

import { load, save } from "../shared";

/** What is written: a new text for the message of a turn, or what belongs to a decision about an interaction. */
export type Purpose = "edit" | "decision";

/** Returns the fields that are kept for a turn or an interaction of a session. */
export function loadUnsent(purpose: Purpose, session: string, id: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(load(nameOf(purpose, session, id)) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  } catch {
    // Another version of the page has written it.
    return {};
  }
}

/** Keeps the fields that have a value, in place of those that were kept before. */
export function saveUnsent(purpose: Purpose, session: string, id: string, fields: object): void {
  const json = JSON.stringify(fields);
  save(nameOf(purpose, session, id), json === "{}" ? undefined : json);
}

/** Removes all that is kept for a session. */
export function forgetUnsent(session: string): void {
  for (const purpose of ["edit", "decision"] as const) {
    const prefix = nameOf(purpose, session, "");
    for (const name of storedNames()) if (name.startsWith(prefix)) save(name, undefined);
  }
}

/** Returns the interactions for which something is kept. */
export function unsentDecisions(): { session: string; id: string }[] {
  return storedNames().flatMap((name) => {
    const [, session, id] = /^turnkit\.decision\.([^.]+)\.(.+)$/.exec(name) ?? [];
    return session && id ? [{ session, id }] : [];
  });
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

function nameOf(purpose: Purpose, session: string, id: string): string {
  return `turnkit.${purpose}.${session}.${id}`;
}
