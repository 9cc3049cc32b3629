import { tokensOf } from "../../later/tokens";
import type { Cost } from "../../shared";
import type { UsageReport, UsageRow } from "../api";

/** What the days can be divided by. */
export const DIMENSIONS = ["model", "agent", "user", "provider"] as const;

export type Dimension = (typeof DIMENSIONS)[number];

export type Measure = "tokens" | "cost";

/** So many parts of a bar have a pattern of their own; the rest is one part. */
const LARGEST = 6;

/** The sums of a model, an agent, a user or a provider in the period of a report. */
export interface Sum {
  name: string;
  calls: number;
  fresh: number;
  cached: number;
  written: number;
  output: number;
  reasoning: number;
  tokens: number;
  cost: Cost;
}

/** A part of the bars: one name, or those that are left. */
export interface Series {
  name: string;
  isRest: boolean;
  /** Its values by the days of the chart. */
  values: Value[];
  total: Value;
}

/** Tokens, or a cost in billionths of a dollar. */
export interface Value {
  amount: number;
  /** The calls that are not part of a cost, because their price is unknown. */
  unpriced: number;
}

/** Returns the sums by name, the largest first. */
export function sumsOf(report: UsageReport, by: Dimension, measure: Measure): Sum[] {
  const sums = new Map<string, Sum>();
  for (const row of report.data) {
    const name = row[by] ?? "";
    const sum = sums.get(name) ?? emptySum(name);
    sums.set(name, sum);
    sum.calls += row.calls;
    sum.fresh += row.usage.fresh;
    sum.cached += row.usage.cache_read;
    sum.written += row.usage.cache_write;
    sum.output += row.usage.output;
    sum.reasoning += row.usage.reasoning;
    sum.tokens += tokensOf(row.usage);
    sum.cost.nano_usd += row.cost.nano_usd;
    sum.cost.unpriced_calls += row.cost.unpriced_calls;
  }
  const value = (sum: Sum) => (measure === "tokens" ? sum.tokens : sum.cost.nano_usd);
  return [...sums.values()].sort((a, b) => value(b) - value(a) || a.name.localeCompare(b.name));
}

/** Returns the parts of the bars of these days. */
export function seriesOf(report: UsageReport, days: string[], by: Dimension, measure: Measure): Series[] {
  const names = sumsOf(report, by, measure).map((sum) => sum.name);
  const series: Series[] = [];
  const places = new Map(days.map((day, index) => [day, index]));
  for (const [index, name] of names.entries()) {
    // A rest of one would be no shorter than its name.
    const isRest = index >= LARGEST && names.length > LARGEST + 1;
    if (!isRest || series.length === LARGEST)
      series.push({ name: isRest ? "" : name, isRest, values: days.map(() => sumOf([])), total: sumOf([]) });
  }
  for (const row of report.data) {
    const index = names.indexOf(row[by] ?? "");
    const one = series[Math.min(index, series.length - 1)];
    const place = places.get(row.day ?? "");
    if (!one || place === undefined) continue;
    const value = valueOf(row, measure);
    one.values[place] = sumOf([one.values[place], value]);
    one.total = sumOf([one.total, value]);
  }
  return series;
}

/** Returns all days of a report, also those without calls. */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = [];
  for (let day = from; day <= to && days.length < 400; day = shift(day, 1)) days.push(day);
  return days;
}

/** Returns the day that is so many days later. */
export function shift(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
}

/** Adds values. */
export function sumOf(values: (Value | undefined)[]): Value {
  const sum = { amount: 0, unpriced: 0 };
  for (const value of values) {
    sum.amount += value?.amount ?? 0;
    sum.unpriced += value?.unpriced ?? 0;
  }
  return sum;
}

function valueOf({ usage, cost }: UsageRow, measure: Measure): Value {
  if (measure === "tokens") return { amount: tokensOf(usage), unpriced: 0 };
  return { amount: cost.nano_usd, unpriced: cost.unpriced_calls };
}

function emptySum(name: string): Sum {
  return {
    name,
    calls: 0,
    fresh: 0,
    cached: 0,
    written: 0,
    output: 0,
    reasoning: 0,
    tokens: 0,
    cost: { nano_usd: 0, unpriced_calls: 0 },
  };
}
