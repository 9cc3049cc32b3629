import { batch, computed, signal } from "@preact/signals";
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

/** The sessions that are about to be deleted. No list shows them. */
export const removing = signal<readonly string[]>([]);

/** The sessions to show: those that were loaded, without archived ones. */
export const listed = computed(() => {
  return sessions.value.filter((session) => !session.archived && !removing.value.includes(session.id));
});

/** The session that changed last. */
export const changed = signal<Session | undefined>(undefined);

let asked = 0;
let askedNeeds = 0;

/** What has changed since the sessions were last asked for; `undefined` stands for a deleted session. */
const noted = new Map<string, Session | undefined>();

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
  noted.clear();
  const found = await client.sessions({ query: search.value });
  // The user may have typed on meanwhile.
  if (mine !== asked) return;
  batch(() => {
    next.value = found.next;
    sessions.value = found.data;
    // The answer may be older than they are.
    for (const [id, session] of noted) place(id, session);
  });
}

export async function loadMore(): Promise<void> {
  if (next.value === null) return;
  const mine = asked;
  const found = await client.sessions({ query: search.value, cursor: next.value });
  if (mine !== asked) return;
  const known = new Set(sessions.value.map((session) => session.id));
  sessions.value = [...sessions.value, ...found.data.filter((session) => !known.has(session.id))];
  next.value = found.next;
}

export async function loadNeeds(): Promise<void> {
  askedNeeds += 1;
  const mine = askedNeeds;
  const found = await client.interactions();
  if (mine !== askedNeeds) return;
  needs.value = found.data.filter((interaction) => interaction.kind !== "child");
}

/** Shows a session as it is now, where the server would list it. */
export function noteSession(session: Session): void {
  noted.set(session.id, session);
  changed.value = session;
  place(session.id, session);
}

/** Removes a session that was deleted. */
export function forgetSession(session: string): void {
  noted.set(session, undefined);
  place(session, undefined);
}

function place(id: string, session: Session | undefined): void {
  const known = sessions.value.find((known) => known.id === id);
  const others = sessions.value.filter((other) => other !== known);
  if (!session) {
    if (known) sessions.value = others;
  } else if (search.value) {
    // Only the server knows what the words are found in.
    if (known) sessions.value = sessions.value.with(sessions.value.indexOf(known), { ...known, ...session });
  } else {
    const found = others.findIndex((other) => other.last_active < session.last_active && !other.pinned);
    // What is listed after all others may belong after some that were not loaded.
    if (found < 0 && !known && next.value !== null) return;
    sessions.value = others.toSpliced(found < 0 ? others.length : found, 0, session);
  }
}
