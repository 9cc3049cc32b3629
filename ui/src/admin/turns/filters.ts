import { me } from "../../shared";

/** The filters of the list, by the names that the server and the address have for them. */
export const FILTERS = ["state", "agent", "provider", "model", "error", "user", "from", "to"] as const;

export type Filter = (typeof FILTERS)[number];

export type Filters = Partial<Record<Filter, string>>;

export const STATES = [
  "queued",
  "running",
  "waiting",
  "cancelling",
  "completed",
  "failed",
  "cancelled",
  "limit",
  "interrupted",
  "expired",
];

/** Reads the filters of an address. */
export function readFilters(query: string): Filters {
  const given = new URLSearchParams(query);
  const filters: Filters = {};
  for (const name of FILTERS) {
    const value = given.get(name)?.trim();
    if (value) filters[name] = value;
  }
  return filters;
}

/** Returns the user of an address whose turns are meant; nothing if that is the user of the page. */
export function otherUser(query: string): string {
  const { user = "" } = readFilters(query);
  return user === me.value?.user ? "" : user;
}

/** Returns the address of the list with these filters. */
export function addressWith(filters: Filters): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  return `#/turns${query && `?${query}`}`;
}

/** Returns the time in the form of a field for local times, to the minute. */
export function toLocal(iso: string | undefined): string {
  const date = new Date(iso ?? "");
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the time of such a field for the server. */
export function fromLocal(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
