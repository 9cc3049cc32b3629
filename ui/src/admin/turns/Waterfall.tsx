import { formatSpan } from "../../later/duration";
import { formatNumber } from "../../shared";
import { type Column, Table } from "../elements/Table";
import { dollarsOf, formatCost } from "../intl";
import { words } from "../strings";
import { type Scale, scaleOf } from "./scale";
import { placed, type PlacedSpan, type Span, type SpanKind } from "./trace";

/** The smallest width of a bar, in percent. */
const SMALLEST = 0.6;

/** What a turn did at which time: a row for each step, call, decision and failed attempt, on one axis. */
export function Waterfall({ spans }: { spans: Span[] }) {
  const texts = words.value.detail;
  const drawn = placed(spans);
  if (drawn.length === 0) {
    return (
      <>
        <p class="remark">{texts.noTimes}</p>
        {spans.length > 0 && <Times spans={spans} />}
      </>
    );
  }
  const scale = scaleOf(drawn);
  const rows = rowsOf(drawn);
  const kinds = [...new Set(drawn.map((span) => span.kind))];
  return (
    <figure class="waterfall">
      <div aria-hidden="true">
        <ul class="legend">
          {kinds.map((kind) => (
            <li key={kind}>
              <svg class="swatch">
                <rect class={`bar ${kind}`} width="100%" height="100%" rx="2" />
              </svg>
              {texts.kinds[kind]}
            </li>
          ))}
        </ul>
        <div class="waterfall-rows">
          <Axis scale={scale} />
          {rows.map((row) => (
            <Row key={row[0]!.row} spans={row} scale={scale} />
          ))}
        </div>
      </div>
      <details>
        <summary>{texts.asTable}</summary>
        <Times spans={spans} />
      </details>
    </figure>
  );
}

function Axis({ scale }: { scale: Scale }) {
  return (
    <div class="waterfall-row axis">
      <span />
      <svg class="track">
        {scale.marks.map(({ at, x }) => (
          <text key={at} x={`${x}%`} y="14" text-anchor={x === 0 ? "start" : x > 90 ? "end" : "middle"}>
            {formatSpan(at)}
          </text>
        ))}
      </svg>
    </div>
  );
}

function Row({ spans, scale }: { spans: PlacedSpan[]; scale: Scale }) {
  const first = spans[0]!;
  const duration = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const isOpen = spans.some((span) => span.isOpen);
  return (
    <div class="waterfall-row">
      <span class="waterfall-name" dir="auto" title={nameOf(first)}>
        {nameOf(first)}
      </span>
      <svg class="track">
        {scale.marks.map(({ at, x }) => (
          <line key={at} class="mark" x1={`${x}%`} x2={`${x}%`} y1="0" y2="100%" />
        ))}
        {scale.shortened.map(({ from, to }) => (
          <rect key={from} class="shortened" x={`${from}%`} width={`${to - from}%`} height="100%" />
        ))}
        {spans.map((span) => (
          <Bar key={span.kind} span={span} scale={scale} />
        ))}
      </svg>
      <span class="number">
        {formatSpan(duration)}
        {isOpen && "…"}
      </span>
      <span class="waterfall-consumption">{spans.map(consumptionOf)}</span>
    </div>
  );
}

function Bar({ span, scale }: { span: PlacedSpan; scale: Scale }) {
  const from = scale.place(span.from);
  const width = Math.max(SMALLEST, scale.place(span.to) - from);
  const x = Math.min(from, 100 - width);
  const classes = ["bar", span.kind, span.error && "failed", span.isOpen && "open"].filter(Boolean).join(" ");
  return (
    <rect class={classes} x={`${x}%`} width={`${width}%`} y="20%" height="60%" rx="2">
      <title>
        {[`${words.value.detail.kinds[span.kind]}: ${formatSpan(span.to - span.from)}`, span.error]
          .filter(Boolean)
          .join(", ")}
      </title>
    </rect>
  );
}

function Times({ spans }: { spans: Span[] }) {
  const { detail: texts, turns } = words.value;
  const names = turns.columns;
  const time = (milliseconds: number | undefined) => (milliseconds === undefined ? "–" : formatSpan(milliseconds));
  const columns: Column<Span>[] = [
    { key: "what", label: texts.what, cell: (span) => nameOf(span) },
    {
      key: "kind",
      label: texts.kind,
      cell: (span) =>
        [texts.kinds[span.kind], span.error && texts.failed(span.error), span.isOpen && texts.running]
          .filter(Boolean)
          .join(", "),
    },
    { key: "from", label: texts.begins, cell: (span) => time(span.from), isNumber: true },
    { key: "took", label: texts.took, cell: (span) => time(span.ms), isNumber: true },
    {
      key: "tokens",
      label: names.tokens,
      cell: ({ tokens }) => (tokens ? formatNumber(tokens) : "–"),
      isNumber: true,
    },
    { key: "cost", label: names.cost, cell: (span) => formatCost(span.cost), isNumber: true },
  ];
  return <Table caption={texts.timeline} columns={columns} rows={spans} keyOf={(span) => `${span.row} ${span.kind}`} />;
}

/** Returns what is known of the tokens and the cost of a span. A model call of no tokens is one that reported none. */
function consumptionOf({ tokens, cost }: Span): string {
  const known = [
    tokens && words.value.usage.tokenCount(formatNumber(tokens)),
    dollarsOf(cost) !== undefined && formatCost(cost),
  ];
  return known.filter(Boolean).join(" · ");
}

/** Returns the spans by their rows, in the order in which the rows begin. */
function rowsOf(spans: PlacedSpan[]): PlacedSpan[][] {
  const rows = new Map<string, PlacedSpan[]>();
  for (const span of spans) rows.set(span.row, [...(rows.get(span.row) ?? []), span]);
  return [...rows.values()];
}

function nameOf(span: Span): string {
  const texts = words.value.detail;
  const named: Partial<Record<SpanKind, string>> = {
    turn: texts.kinds.turn,
    compaction: texts.kinds.compaction,
    attempt: texts.attempt(span.name),
    wait: texts.waits(span.name),
  };
  if (span.kind === "model" || span.kind === "answer") {
    return texts.step(formatNumber(Number(span.row.replace("step.", ""))), span.name);
  }
  return named[span.kind] ?? span.name;
}
