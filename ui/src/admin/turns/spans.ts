import { position, type PagedTurn, type StepView, type ToolView } from "../../shared";
import type { TurnEvent } from "./events";

export type SpanKind = "queue" | "model" | "answer" | "tool" | "wait" | "compaction" | "attempt";

/** A part of a turn's time, from `from` to `to`, in milliseconds since 1970. */
export interface Span {
  kind: SpanKind;
  /** The row in which it is drawn, and its name. */
  row: string;
  name: string;
  from: number;
  to: number;
  /** Whether it has not ended. */
  isOpen?: boolean;
  hasFailed?: boolean;
}

/** A call that waits for a decision, as the server shows it. */
interface Wait {
  id: string;
  call_id: string;
  kind: string;
  name: string;
  decided?: { decision: string };
}

type Turn = PagedTurn & { waits?: Wait[] };

/**
 * Returns what a turn did at which time, in the order in which it began. `events` make the times of calls, decisions
 * and failed attempts exact; without them, calls begin when the model has asked for them. A turn whose times are no
 * longer stored has none.
 */
export function spansOf(view: Turn, events: TurnEvent[], now: number): Span[] {
  const times = new EventTimes(events);
  const end = parse(view.ended_at) ?? now;
  const spans: Span[] = [];
  const steps = view.steps.filter((step) => step.began_at !== undefined);
  const first = steps[0] && requestOf(steps[0]);
  const accepted = parse(view.accepted_at);
  if (accepted !== undefined && first !== undefined && first > accepted) {
    spans.push({ kind: "queue", row: "queue", name: "", from: accepted, to: first });
  }
  for (const step of steps) spans.push(...stepSpans(step, end, view.ended_at === undefined));
  for (const wait of view.waits ?? []) spans.push(waitSpan(wait, steps, view.tools, times, end));
  for (const tool of view.tools) {
    const span = toolSpan(tool, view, steps, times, end);
    if (span) spans.push(span);
  }
  spans.push(...times.others());
  const rank = (span: Span) => (span.kind === "attempt" ? 0 : 1);
  return spans.sort((a, b) => a.from - b.from || rank(a) - rank(b) || a.to - b.to);
}

/** Returns when the request of a step was sent. */
function requestOf(step: StepView): number {
  return Date.parse(step.began_at ?? "") - (step.first_ms ?? 0);
}

function stepSpans(step: StepView, end: number, isRunning: boolean): Span[] {
  const row = `step ${step.step}`;
  const name = step.model ?? "";
  const began = Date.parse(step.began_at ?? "");
  const isOpen = step.ms === undefined && isRunning;
  const answer: Span = {
    kind: "answer",
    row,
    name,
    from: began,
    to: step.ms === undefined ? end : began + step.ms,
    isOpen,
  };
  if (!step.first_ms) return [answer];
  return [{ kind: "model", row, name, from: began - step.first_ms, to: began }, answer];
}

/** Returns the end of the step that asked for a call, and the beginning of the next one. */
function around(call: string, steps: StepView[]): { before: number | undefined; after: number | undefined } {
  const [number] = position(call);
  const step = steps.find((step) => step.step === number);
  const next = steps.find((step) => step.step > number);
  const before = step?.began_at && step.ms !== undefined ? Date.parse(step.began_at) + step.ms : undefined;
  return { before, after: next && requestOf(next) };
}

function waitSpan(wait: Wait, steps: StepView[], tools: ToolView[], times: EventTimes, end: number): Span {
  const { before, after } = around(wait.call_id, steps);
  const from = times.of(`asked ${wait.id}`) ?? before ?? end;
  const ran = tools.find((tool) => tool.call_id === wait.call_id)?.ms ?? 0;
  const to =
    times.of(`decided ${wait.id}`) ?? (wait.decided && after !== undefined ? Math.max(from, after - ran) : end);
  return { kind: "wait", row: `wait ${wait.id}`, name: wait.name, from, to, isOpen: !wait.decided };
}

function toolSpan(tool: ToolView, view: Turn, steps: StepView[], times: EventTimes, end: number): Span | undefined {
  const isRunning = view.ended_at === undefined;
  const waited = view.waits?.some((wait) => wait.call_id === tool.call_id);
  const { before, after } = around(tool.call_id, steps);
  // A call that had to be decided ran last, just before the next step.
  const late = waited && after !== undefined ? after - (tool.ms ?? 0) : before;
  const from = times.of(`started ${tool.call_id}`) ?? late;
  if (from === undefined) return undefined;
  const isOpen = tool.ok === undefined && isRunning;
  const to = times.of(`finished ${tool.call_id}`) ?? (tool.ms === undefined ? (after ?? end) : from + tool.ms);
  return {
    kind: "tool",
    row: `tool ${tool.call_id}`,
    name: tool.name,
    from,
    to,
    isOpen,
    hasFailed: tool.ok === false,
  };
}

/** The times in the events of a turn. */
class EventTimes {
  readonly #times = new Map<string, number>();
  readonly #others: Span[] = [];

  constructor(events: TurnEvent[]) {
    let waitsSince: number | undefined;
    for (const { name, data } of events) {
      const at = parse(data.at);
      if (at === undefined) continue;
      if (name === "interaction.requested") this.#times.set(`asked ${data.id}`, at);
      else if (name === "interaction.resolved") this.#times.set(`decided ${data.id}`, at);
      else if (name === "tool.started") this.#times.set(`started ${data.call_id}`, at);
      else if (name === "tool.finished") this.#times.set(`finished ${data.call_id}`, at);
      else if (name === "compacted") {
        const span: Span = {
          kind: "compaction",
          row: `compaction ${data.seq}`,
          name: data.model ?? "",
          from: at - (data.ms ?? 0),
          to: at,
        };
        this.#others.push({ ...span, hasFailed: data.failure !== undefined });
      } else if (isFailedAttempt(name, data.code) && waitsSince !== undefined) {
        const row = `attempt ${data.seq}`;
        this.#others.push({
          kind: "attempt",
          row,
          name: data.text ?? data.message ?? "",
          from: waitsSince,
          to: at,
          hasFailed: true,
        });
      }
      const begins =
        name === "turn.started" || name === "step.ended" || name === "tool.finished" || name === "compacted";
      if (begins) waitsSince = at;
      else if (name === "step.started") waitsSince = undefined;
    }
  }

  of(what: string): number | undefined {
    return this.#times.get(what);
  }

  others(): Span[] {
    return this.#others;
  }
}

/** Reports whether an event ends the attempt of a provider that had no output. */
function isFailedAttempt(name: string, code: string | undefined): boolean {
  return name === "error" || (name === "notice" && code === "failed_over");
}

function parse(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
