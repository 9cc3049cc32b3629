import { locale } from "../shared";

const SECOND = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats a duration of any length in milliseconds: "350 ms", "4.2 sec", "3 min 5 sec", "2 hr 10 min", "2 days 1 hr".
 */
export function formatSpan(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole < SECOND) return unit(whole, "millisecond");
  const tenths = Math.round(whole / 100) / 10;
  if (tenths < MINUTE) return unit(tenths, "second");
  const seconds = Math.round(whole / SECOND);
  if (seconds < HOUR) return both(seconds, MINUTE, "minute", "second");
  const minutes = Math.round(seconds / MINUTE);
  if (minutes * MINUTE < DAY) return both(minutes, HOUR / MINUTE, "hour", "minute");
  return both(Math.round(seconds / HOUR), DAY / HOUR, "day", "hour");
}

/** Formats a value in a unit of so many smaller ones, and what is left of it in those. */
function both(value: number, size: number, larger: string, smaller: string): string {
  const rest = value % size;
  const whole = unit(Math.floor(value / size), larger);
  return rest === 0 ? whole : `${whole} ${unit(rest, smaller)}`;
}

function unit(value: number, name: string): string {
  // The short form of a day is unusual in German.
  const unitDisplay = name === "day" ? "long" : "short";
  const options = { style: "unit", unit: name, unitDisplay, maximumFractionDigits: 1 } as const;
  // A number is not parted from its unit.
  return new Intl.NumberFormat(locale.value, options).format(value).replace(" ", "\u00a0");
}
