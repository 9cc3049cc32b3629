import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatMoney } from "../../later/money";
import { formatNumber } from "../../shared";
import { formatCost, formatDay, formatShort } from "../intl";
import { words } from "../strings";
import { axisOf } from "./axis";
import { PATTERNS, Patterns } from "./Patterns";
import { type Measure, type Series, sumOf, type Value } from "./series";

const HEIGHT = 220;
const LEFT = 60;
const TOP = 8;
const BOTTOM = 24;
const PLOT = HEIGHT - TOP - BOTTOM;

interface ChartProps {
  days: string[];
  series: Series[];
  measure: Measure;
}

/** The days as stacked bars. The legend has the values of the day that is pointed at, or reached with arrow keys. */
export function Chart({ days, series, measure }: ChartProps) {
  const texts = words.value.usage;
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const format = (value: Value | undefined) => formatValue(value, measure);
  const totals = days.map((_, day) => sumOf(series.map(({ values }) => values[day])));
  const marks = axisOf(Math.max(...totals.map(({ amount }) => amount)));
  const highest = marks.at(-1) ?? 1;
  const slot = Math.max(0, width - LEFT) / days.length;
  const gap = slot > 6 ? Math.min(8, slot * 0.25) : slot > 3 ? 1 : 0;
  const y = (value: number) => TOP + PLOT * (1 - value / highest);
  const describe = (day: number) => {
    const values = series
      .filter((one) => !isNothing(one.values[day]))
      .map((one) => `${nameOf(one)} ${format(one.values[day])}`);
    return `${formatDay(days[day]!)}: ${[format(totals[day]), ...values].join("; ")}`;
  };
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setChosen(Math.min(days.length - 1, Math.max(0, (chosen ?? days.length - 1) + step)));
  };
  return (
    <figure class="chart">
      <Legend
        series={series}
        day={chosen}
        label={chosen === undefined ? texts.whole : formatDay(days[chosen]!)}
        format={format}
      />
      <div
        ref={frame}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={texts.chart}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(chosen ?? days.length - 1) + 1}
        aria-valuetext={describe(chosen ?? days.length - 1)}
        onKeyDown={press}
        onFocus={() => setChosen(chosen ?? days.length - 1)}
        onBlur={() => setChosen(undefined)}
        onPointerLeave={() => setChosen(undefined)}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <Patterns />
          {marks.map((mark) => (
            <g key={mark}>
              <line class="mark" x1={LEFT} x2={width} y1={y(mark)} y2={y(mark)} />
              <text x={LEFT - 8} y={y(mark) + 4} text-anchor="end">
                {measure === "tokens" ? formatShort(mark) : formatMoney(mark)}
              </text>
            </g>
          ))}
          {days.map((day, index) => (
            <g key={day} onPointerEnter={() => setChosen(index)}>
              <rect
                class={index === chosen ? "slot chosen" : "slot"}
                x={LEFT + index * slot}
                y={TOP}
                width={slot}
                height={PLOT}
              />
              {stack(series, index).map(({ at, from, to }) => (
                <rect
                  key={at}
                  fill={`url(#pattern-${at % PATTERNS})`}
                  x={LEFT + index * slot + gap / 2}
                  y={y(to)}
                  width={Math.max(1, slot - gap)}
                  height={y(from) - y(to)}
                />
              ))}
            </g>
          ))}
          {labelled(days, width).map((index) => (
            <text
              key={index}
              x={LEFT + (index + 0.5) * slot}
              y={HEIGHT - 6}
              text-anchor={index === days.length - 1 && days.length > 7 ? "end" : "middle"}
            >
              {formatDay(days[index]!, true)}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

interface LegendProps {
  series: Series[];
  day: number | undefined;
  label: string;
  format(value: Value | undefined): string;
}

function Legend({ series, day, label, format }: LegendProps) {
  const value = (one: Series) => (day === undefined ? one.total : one.values[day]);
  return (
    <div class="legend">
      <span class="legend-of">
        {label}: <strong>{format(sumOf(series.map(value)))}</strong>
      </span>
      <ul class="legend">
        {series.map((one, index) => (
          <li key={one.name} class={isNothing(value(one)) ? "zero" : undefined}>
            <svg class="swatch" aria-hidden="true">
              <rect fill={`url(#pattern-${index % PATTERNS})`} width="100%" height="100%" rx="2" />
            </svg>
            <bdi>{nameOf(one)}</bdi> <span class="number">{format(value(one))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Formats a value of the chart or of its table. */
export function formatValue(value: Value | undefined, measure: Measure): string {
  const { amount, unpriced } = value ?? sumOf([]);
  return measure === "tokens" ? formatNumber(amount) : formatCost({ nano_usd: amount, unpriced_calls: unpriced });
}

function isNothing(value: Value | undefined): boolean {
  return !value || (value.amount === 0 && value.unpriced === 0);
}

function nameOf(one: Series): string {
  return one.isRest ? words.value.usage.rest : one.name;
}

/** Returns the parts of a day's bar, from below. */
function stack(series: Series[], day: number): { at: number; from: number; to: number }[] {
  let top = 0;
  return series
    .map((one, at) => {
      const from = top;
      top += one.values[day]?.amount ?? 0;
      return { at, from, to: top };
    })
    .filter(({ from, to }) => to > from);
}

/** Returns the days that have space for a label. */
function labelled(days: string[], width: number): number[] {
  const distance = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor((width - LEFT) / 80))));
  const last = days.length - 1;
  return days.map((_, index) => index).filter((index) => (last - index) % distance === 0);
}

/** Returns the width of the element that gets the reference. */
function useWidth(): [ref: { current: HTMLDivElement | null }, width: number] {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}
