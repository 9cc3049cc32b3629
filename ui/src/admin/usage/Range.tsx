import { words } from "../strings";
import { DIMENSIONS, type Dimension, type Measure, shift } from "./series";

const PRESETS = [7, 30, 90];

/** What the report covers, and how it is divided. */
export interface Choice {
  /** The number of days up to today; `undefined` if the first and the last day are given. */
  days: number | undefined;
  from: string;
  to: string;
  by: Dimension;
  measure: Measure;
}

/** Reads a choice from the address. Days of reports are in UTC. */
export function readChoice(query: string, now = new Date()): Choice {
  const given = new URLSearchParams(query);
  const today = now.toISOString().slice(0, 10);
  const from = given.get("from") ?? "";
  const to = given.get("to") ?? "";
  const by = DIMENSIONS.find((dimension) => dimension === given.get("by")) ?? "model";
  const measure = given.get("show") === "cost" ? "cost" : "tokens";
  if (isDay(from) && isDay(to)) return { days: undefined, from, to, by, measure };
  const days = PRESETS.find((days) => String(days) === given.get("days")) ?? 30;
  return { days, from: shift(today, 1 - days), to: today, by, measure };
}

function addressOf({ days, from, to, by, measure }: Choice): string {
  const period: Record<string, string> = days === undefined ? { from, to } : { days: String(days) };
  return `#/usage?${new URLSearchParams({ ...period, by, show: measure }).toString()}`;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The controls of the report. The choice is in the address. */
export function Range({ choice }: { choice: Choice }) {
  const texts = words.value.usage;
  const choose = (change: Partial<Choice>) => {
    location.hash = addressOf({ ...choice, ...change });
  };
  const day = (name: "from" | "to") => (
    <label class="field">
      {texts[name]}
      <input
        type="date"
        required
        value={choice[name]}
        onChange={(event) =>
          isDay(event.currentTarget.value) && choose({ days: undefined, [name]: event.currentTarget.value })
        }
      />
    </label>
  );
  return (
    <form class="filter-row" aria-label={texts.period} onSubmit={(event) => event.preventDefault()}>
      <div class="choices" role="group" aria-label={texts.period}>
        {PRESETS.map((days) => (
          <button key={days} type="button" aria-pressed={choice.days === days} onClick={() => choose({ days })}>
            {texts.days(days)}
          </button>
        ))}
        <button type="button" aria-pressed={choice.days === undefined} onClick={() => choose({ days: undefined })}>
          {texts.custom}
        </button>
      </div>
      {choice.days === undefined && day("from")}
      {choice.days === undefined && day("to")}
      <div class="choices" role="group" aria-label={texts.measure}>
        {(["tokens", "cost"] as const).map((measure) => (
          <button
            key={measure}
            type="button"
            aria-pressed={choice.measure === measure}
            onClick={() => choose({ measure })}
          >
            {texts[measure]}
          </button>
        ))}
      </div>
      <label class="field inline">
        {texts.by}
        <select
          value={choice.by}
          onChange={(event) => choose({ by: DIMENSIONS.find((one) => one === event.currentTarget.value) ?? "model" })}
        >
          {DIMENSIONS.map((one) => (
            <option key={one} value={one}>
              {texts.dimensions[one]}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}
