import { formatMoney } from "../later/money";
import { tokensOf } from "../later/tokens";
import { type Cost, formatNumber, locale, type Usage } from "../shared";

/** Formats a cost: a dash if it is unknown, and "≥" before what is known of it if some calls are not part of it. */
export function formatCost(cost: Cost | undefined): string {
  const dollars = dollarsOf(cost);
  if (!cost || dollars === undefined) return "–";
  // The sign is not parted from the sum.
  return `${cost.unpriced_calls > 0 ? "≥\u00a0" : ""}${formatMoney(cost.nano_usd)}`;
}

/** Returns the known part of a cost in dollars; `undefined` if nothing of it is known, and it is more than nothing. */
export function dollarsOf(cost: Cost | undefined): number | undefined {
  return cost && (cost.nano_usd > 0 || cost.unpriced_calls === 0) ? cost.nano_usd / 1e9 : undefined;
}

/** Formats the tokens of a turn, or a dash if its providers have reported none. */
export function formatTokens(usage: (Usage & { unmetered_calls?: number }) | undefined): string {
  const tokens = tokensOf(usage);
  return !usage || (tokens === 0 && usage.unmetered_calls) ? "–" : formatNumber(tokens);
}

/** Formats a number for an axis, where space is short. */
export function formatShort(value: number): string {
  return new Intl.NumberFormat(locale.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** Formats a time in full, with its zone. */
export function formatFull(iso: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
}

/** Formats a day of a report, which is one in UTC. */
export function formatDay(day: string, isShort = false): string {
  const options: Intl.DateTimeFormatOptions = isShort ? { day: "numeric", month: "short" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat(locale.value, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Formats a time by its distance from now, such as "in 4 minutes". */
export function formatRelative(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" }).format(Math.round(distance / size), unit);
}
