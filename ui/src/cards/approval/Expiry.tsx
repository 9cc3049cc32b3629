import { useEffect, useState } from "preact/hooks";
import { formatTime, locale } from "../../shared";
import { words } from "../strings";

const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

/** When an undecided call counts as denied, in words that change as the time passes. */
export function Expiry({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(at) - now;
  const [, step] = unitOf(left);
  useEffect(() => {
    if (left <= 0) return;
    // The words change when what is left is a whole number of units.
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left % step || step, UNITS[1]?.[1] ?? step));
    return () => clearTimeout(timer);
  }, [left, step]);
  const texts = words.value.interaction;
  return (
    <p class="remark" title={formatTime(at)}>
      {left > 0 ? texts.expires(inWords(left)) : texts.expired}
    </p>
  );
}

function unitOf(left: number): [unit: Intl.RelativeTimeFormatUnit, ms: number] {
  return UNITS.find(([, ms]) => left >= ms) ?? ["second", 1_000];
}

function inWords(left: number): string {
  const [unit, ms] = unitOf(left);
  return new Intl.RelativeTimeFormat(locale.value).format(Math.max(1, Math.round(left / ms)), unit);
}
