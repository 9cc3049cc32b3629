import { computed, signal } from "@preact/signals";
import type { Interaction, Session } from "../net";
import { client } from "./server";

/** The sessions that were loaded, the last used first. */
export const sessions = signal<Session[]>([]);

/** The cursor of the next sessions; `null` if all are loaded. */
export const next = signal<string | null>(null);

/** The words that are searched for. All lists show what was found. */
export const search = signal("");

/** The pause after which what was typed is searched for. */
const TYPING_MS = 200;

/** All calls that wait for the user, in any session. */
export const needs = signal<Interaction[]>([]);

/** The sessions in which a call waits for the user. */
export const waiting = computed(() => new Set(needs.value.map((interaction) => interaction.session_id)));

/** A session that is about to be deleted. No list shows it. */
export const removing = signal<string | undefined>(undefined);

/** The sessions to show: those that were loaded, without archived ones. */
export const listed = computed(() => {
  return sessions.value.filter((session) => !session.archived && session.id !== removing.value);
});

let asked = 0;

let typing: ReturnType<typeof setTimeout> | undefined;

/** Searches for words as soon as the user pauses. */
export function searchFor(words: string): void {
  if (words === search.value) return;
  search.value = words;
  clearTimeout(typing);
  typing = setTimeout(() => void loadSessions().catch(() => {}), TYPING_MS);
}

/** Loads the first sessions, or those in which the words of the search are found. */
export async function loadSessions(): Promise<void> {
  asked += 1;
  const mine = asked;
  const found = await client.sessions({ query: search.value });
  // The user may have typed on meanwhile.
  if (mine !== asked) return;
  sessions.value = found.data;
  next.value = found.next;
}

export async function loadMore(): Promise<void> {
  if (next.value === null) return;
  const found = await client.sessions({ query: search.value, cursor: next.value });
  const known = new Set(sessions.value.map((session) => session.id));
  sessions.value = [...sessions.value, ...found.data.filter((session) => !known.has(session.id))];
  next.value = found.next;
}

export async function loadNeeds(): Promise<void> {
  const found = await client.interactions();
  needs.value = found.data.filter((interaction) => interaction.kind !== "child");
}

/** Puts the changed session of the feed first. */
export function noteSession(session: Session): void {
  if (search.value) return;
  const others = sessions.value.filter((known) => known.id !== session.id);
  const isFirst = sessions.value[0]?.id === session.id;
  sessions.value = isFirst || others.length < sessions.value.length
    ? sessions.value.map((known) => (known.id === session.id ? session : known))
    : [session, ...others];
}
