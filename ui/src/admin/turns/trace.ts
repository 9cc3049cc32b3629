import type { Cost } from "../../shared";
import type { TraceSpan } from "../api";

export type SpanKind = "turn" | "model" | "answer" | "tool" | "wait" | "compaction" | "attempt";

/** A part of a turn's time, as it is drawn. Times are in milliseconds since the turn was accepted. */
export interface Span {
  kind: SpanKind;
  /** The id of the row in which it is drawn, and its name. */
  row: string;
  name: string;
  /** Its start. The server does not know it once the events of the turn are deleted. */
  from?: number;
  /** Its duration. */
  ms?: number;
  /** Whether it has not ended. */
  isOpen: boolean;
  /** The tokens of a model call that has ended, and their cost. */
  tokens?: number;
  cost?: Cost;
  /** The code of its failure. */
  error?: string;
}

/** A span whose time is known. */
export interface PlacedSpan extends Span {
  from: number;
  to: number;
}

/**
 * Returns what is drawn of a turn's trace, in the order of its starts. A step is drawn as its attempts: the one that
 * answered has a part until its first output. The turn itself is drawn if there is nothing else of it. `now` is the end
 * of what has not ended, and `toolOf` returns the tool of the call that a wait is about.
 */
export function spansOf(trace: TraceSpan[], now: number, toolOf: (wait: string) => string | undefined): Span[] {
  const [turn] = trace;
  if (!turn) return [];
  const isRunning = turn.ms === undefined;
  const end = turn.ms ?? Math.max(now, ...trace.map((span) => (span.start_ms ?? 0) + (span.ms ?? 0)));
  const ids = new Set(trace.map((span) => span.id));
  const draw = (span: TraceSpan): Span[] => {
    const { id: row, name, tokens, cost, error } = span;
    const drawn = { row, name, ...timeOf(span, end, isRunning), tokens, cost, error };
    if (span.kind === "turn") return trace.length === 1 ? [{ ...drawn, kind: "turn" }] : [];
    if (span.kind === "step") return ids.has(answerOf(span.id)) ? [] : [{ ...drawn, kind: "answer" }];
    if (span.kind === "wait") return [{ ...drawn, kind: "wait", name: toolOf(span.id) ?? span.name }];
    if (span.kind === "attempt" && span.id === answerOf(span.parent ?? "")) return answer(span, drawn);
    return [{ ...drawn, kind: span.kind }];
  };
  return trace.flatMap(draw).sort((a, b) => (a.from ?? 0) - (b.from ?? 0));
}

/** Returns the spans that have a place on an axis. */
export function placed(spans: Span[]): PlacedSpan[] {
  return spans.flatMap((span) => {
    const { from } = span;
    return from === undefined ? [] : [{ ...span, from, to: from + (span.ms ?? 0) }];
  });
}

/** Returns the id of the attempt that answered at a step. */
function answerOf(step: string): string {
  return `${step}.answer`;
}

/** Returns the attempt that answered, in the row of its step: the time until its first output, and the rest. */
function answer({ parent, first_ms }: TraceSpan, drawn: Omit<Span, "kind">): Span[] {
  const row = parent ?? drawn.row;
  const { from, ms } = drawn;
  if (!first_ms || from === undefined || ms === undefined) return [{ ...drawn, row, kind: "answer" }];
  return [
    { kind: "model", row, name: drawn.name, from, ms: Math.min(first_ms, ms), isOpen: false },
    { ...drawn, row, kind: "answer", from: from + first_ms, ms: Math.max(0, ms - first_ms) },
  ];
}

/** Returns the time of a span. One that has not ended lasts until now, or ended with its turn. */
function timeOf({ start_ms, ms }: TraceSpan, end: number, isRunning: boolean): Pick<Span, "from" | "ms" | "isOpen"> {
  if (start_ms === undefined) return { ms, isOpen: false };
  return { from: start_ms, ms: ms ?? Math.max(0, end - start_ms), isOpen: ms === undefined && isRunning };
}
