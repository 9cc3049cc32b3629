import { type Cost, formatNumber, locale, type Usage } from "../shared";

/** All tokens of a call, a turn or a day. Reasoning is a part of the output. */
export function tokensOf(usage: Usage | undefined): number {
  return usage ? usage.fresh + usage.cache_read + usage.cache_write + usage.output : 0;
}

const DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;

/** Formats a price in billionths of a dollar: to the cent, and small ones with two digits. */
export function formatMoney(nano: number): string {
  const dollars = nano / 1e9;
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.1;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale.value, { ...DOLLARS, ...digits }).format(dollars);
}

/** Formats a cost, or a dash if no price is known. */
export function formatCost(cost: Cost | undefined): string {
  if (!cost || (cost.nano_usd === 0 && cost.unpriced_calls > 0)) return "–";
  return formatMoney(cost.nano_usd);
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

/** Formats a duration of any length: "350ms", "4.2s", "3m 5s", "2h 10m". */
export function formatSpan(milliseconds: number): string {
  const unit = (value: number, name: string, digits = 0) => {
    const options = { style: "unit", unit: name, unitDisplay: "narrow", maximumFractionDigits: digits } as const;
    return new Intl.NumberFormat(locale.value, options).format(value);
  };
  if (milliseconds < 1_000) return unit(Math.round(milliseconds), "millisecond");
  if (milliseconds < 60_000) return unit(milliseconds / 1_000, "second", milliseconds < 10_000 ? 1 : 0);
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${unit(minutes, "minute")} ${unit(Math.floor((milliseconds % 60_000) / 1_000), "second")}`;
  if (minutes < 2_880) return `${unit(Math.floor(minutes / 60), "hour")} ${unit(minutes % 60, "minute")}`;
  return unit(minutes / 1_440, "day", 1);
}
