import { locale, type Session } from "../shared";
import { words } from "./strings";

export interface SessionGroup {
  name: string;
  members: Session[];
}

/** Returns the pinned sessions, and the others by the day of their last use. */
export function groupsOf(sessions: Session[]): SessionGroup[] {
  const groups = new Map<string, Session[]>();
  const pinnedFirst = [...sessions].sort((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false));
  for (const session of pinnedFirst) {
    const name = session.pinned ? words.value.sessions.pinned : nameOfDay(session.last_active);
    groups.set(name, [...(groups.get(name) ?? []), session]);
  }
  return [...groups].map(([name, members]) => ({ name, members }));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Names the day of a time: today, yesterday, a day of the last week, or only the month. */
function nameOfDay(iso: string): string {
  const date = new Date(iso);
  const midnight = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  const days = Math.round((midnight(new Date()) - midnight(date)) / DAY_MS);
  // The clocks of the server and of the browser may differ.
  if (days <= 0) return words.value.sessions.today;
  if (days === 1) return words.value.sessions.yesterday;
  const options: Intl.DateTimeFormatOptions =
    days < 7 ? { weekday: "long", day: "numeric", month: "long" } : { month: "long", year: "numeric" };
  return new Intl.DateTimeFormat(locale.value, options).format(date);
}
