import { effect, signal } from "@preact/signals";
import { load, route, save, type Session, search, sessions } from "../shared";

/** When the user last saw each session, in times of the server. Sessions that are not listed were seen at `since`. */
interface Seen {
  since: string;
  at: Record<string, string>;
}

const KEY = "turnkit.seen";

/** Of more sessions than these, the ones seen longest ago are forgotten. */
const MOST = 200;

const seen = signal<Seen | undefined>(stored());

/** Reports whether something happened in a session since the user saw it in this browser. */
export function isUnread(session: Session): boolean {
  const known = seen.value;
  return known !== undefined && session.last_active > (known.at[session.id] ?? known.since);
}

/** Notes that the user sees a session as it is now. */
function noteSeen(session: Session): void {
  const known = seen.peek();
  if (!known || session.last_active <= (known.at[session.id] ?? known.since)) return;
  const at = Object.entries({ ...known.at, [session.id]: session.last_active });
  const kept = at.sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, MOST);
  const since = at.slice(MOST).reduce((latest, [, time]) => (time > latest ? time : latest), known.since);
  write({ since, at: Object.fromEntries(kept) });
}

/** Notes from now on what the user sees. */
export function watchSeen(): void {
  effect(look);
  document.addEventListener("visibilitychange", look);
}

function look(): void {
  const all = sessions.value;
  const shown = route.value;
  if (document.hidden || all.length === 0) return;
  // In a browser that never saw a session, none of the present ones is new.
  const latest = all.reduce((latest, { last_active }) => (last_active > latest ? last_active : latest), "");
  if (!seen.peek() && !search.value) write({ since: latest, at: {} });
  const session = shown.screen === "chat" && all.find(({ id }) => id === shown.session);
  if (session) noteSeen(session);
}

function write(changed: Seen): void {
  seen.value = changed;
  save(KEY, JSON.stringify(changed));
}

function stored(): Seen | undefined {
  try {
    const { since, at } = JSON.parse(load(KEY) ?? "{}") as Partial<Seen>;
    return typeof since === "string" && typeof at === "object" && at !== null ? { since, at } : undefined;
  } catch {
    return undefined;
  }
}
