import type {
  Cost,
  FailedAttempt,
  InteractionDecision,
  Part,
  PartKind,
  PartView,
  RemarkView,
  ToolErrorKind,
  ToolView,
  TurnStatus,
  TurnView,
  Usage,
  WaitView,
} from "./types";

/** The data of any event of a turn. */
export interface TurnEventData {
  turn_id: string;
  seq: number;
  at?: string;
  session_id?: string;
  cursor?: string;
  agent?: string;
  input?: Part[];
  step?: number;
  provider?: string;
  model?: string;
  part_id?: string;
  type?: string;
  name?: string;
  delta?: string;
  part?: unknown;
  finish_reason?: string;
  usage?: Usage;
  cost?: Cost;
  prices?: string;
  attempts?: FailedAttempt[];
  call_id?: string;
  arguments?: string;
  ok?: boolean;
  content?: string;
  images?: ToolView["images"];
  ms?: number;
  error?: ToolErrorKind;
  payload?: unknown;
  code?: string;
  text?: string;
  message?: string;
  from_seq?: number;
  status?: TurnStatus;
  steps?: number;
  trace_id?: string;
  steered_into?: string;
  steering_turn_id?: string;
  messages?: number;
  failure?: string;
  /** The id of an interaction. */
  id?: string;
}

/** Returns the view of a turn before its first event. */
export function emptyTurn(turn: string, number: number): TurnView {
  return { turn_id: turn, number, seq: 0, agent: "", input: [], steps: [], parts: [], tools: [], remarks: [] };
}

/**
 * Applies an event to the view of its turn, and returns the changed view. Events that the view already contains change
 * nothing. Lists that did not change stay the same values, so that what is drawn from them need not be drawn again.
 */
export function foldTurn(view: TurnView, name: string, event: TurnEventData): TurnView {
  // The events after a retraction reuse the numbers of those that it removes.
  if (name === "retracted") return retract({ ...view, seq: event.seq }, event);
  if (event.seq <= view.seq) return view;
  return apply({ ...view, seq: event.seq }, name, event);
}

function apply(view: TurnView, name: string, event: TurnEventData): TurnView {
  const since = event.seq;
  const at = event.at;
  switch (name) {
    case "turn.started": {
      const { agent = "", input = [], trace_id } = event;
      return { ...view, agent, input, trace_id, accepted_at: at, waiting_since: at };
    }
    case "step.started": {
      const { waiting_since, ...rest } = view;
      const first_ms = between(waiting_since, at);
      const { provider, model } = event;
      const step = { step: event.step ?? 0, provider, model, began_at: at, first_ms, since };
      return { ...rest, steps: [...view.steps, step] };
    }
    case "part.started": {
      const type = event.type as PartKind;
      const part: PartView = { part_id: event.part_id ?? "", type, text: "", ended: false, since };
      if (event.name !== undefined) part.name = event.name;
      return { ...view, parts: [...view.parts, part] };
    }
    case "part.delta":
      return withPart(view, event, (part) => ({ ...part, text: part.text + (event.delta ?? "") }));
    case "part.ended":
      return withPart(view, event, (part) => ({ ...part, ended: true }));
    case "step.ended": {
      const index = view.steps.findLastIndex((step) => step.step === event.step);
      const step = view.steps[index];
      if (!step) return { ...view, waiting_since: at };
      const { finish_reason, usage, cost, prices, attempts } = event;
      const ended = { ...step, finish_reason, usage, cost, prices, attempts, ms: between(step.began_at, at) };
      return { ...view, steps: view.steps.with(index, ended), waiting_since: at };
    }
    case "tool.started":
      return withTool(view, event, (tool) => ({ ...tool, name: event.name ?? "", arguments: event.arguments ?? "" }));
    case "tool.finished": {
      const error = event.error !== undefined && { error: event.error };
      const images = event.images !== undefined && { images: event.images };
      const result = { ok: event.ok, content: event.content, ms: event.ms, ...images, ...error };
      const changed = withTool(view, event, (tool) => ({ ...tool, name: event.name ?? "", ...result }));
      return { ...changed, waiting_since: at };
    }
    case "data": {
      const data = { kind: event.type ?? "", payload: event.payload };
      return withTool(view, event, (tool) => ({ ...tool, data }));
    }
    case "interaction.requested": {
      const request = payload(event);
      return { ...view, waits: [...(view.waits ?? []), { ...request, since } as WaitView] };
    }
    case "interaction.resolved": {
      const { id, ...decided } = payload(event);
      return withWait(view, id, decided as InteractionDecision);
    }
    case "steered": {
      const last = view.tools.at(-1);
      const after_step = last ? position(last.call_id)[0] : 0;
      const steered = { steering_turn_id: event.steering_turn_id, input: event.input ?? [], after_step, since };
      return { ...view, steered: [...(view.steered ?? []), steered] };
    }
    case "notice":
      return remark(view, event.code, event.text);
    case "error":
      return remark(view, event.code, event.message, { error: true, ...(event.attempts && { attempts: event.attempts }) });
    case "compacted": {
      const waiting = { ...view, waiting_since: at };
      if (event.failure !== undefined) return waiting;
      return remark(waiting, "compacted", `a summary takes the place of ${event.messages} earlier messages`);
    }
    case "turn.ended": {
      const { waiting_since: _, ...rest } = view;
      const ended: TurnView = { ...rest, ended_at: at, status: event.status ?? "completed" };
      if (event.steps) Object.assign(ended, { usage: event.usage, cost: event.cost });
      if (event.steered_into !== undefined) ended.steered_into = event.steered_into;
      return ended;
    }
    default:
      return view;
  }
}

/** Removes the output of an attempt whose process died. */
function retract(view: TurnView, event: TurnEventData): TurnView {
  const from = event.from_seq ?? 0;
  const dead = view.steps.find((step) => step.since >= from);
  const kept = <T extends { since: number }>(list: T[]) => list.filter((item) => item.since < from);
  const retracted = { ...view, steps: kept(view.steps), parts: kept(view.parts), tools: kept(view.tools) };
  const remarks = kept(view.remarks);
  const waited = dead?.began_at && new Date(Date.parse(dead.began_at) - (dead.first_ms ?? 0)).toISOString();
  return {
    ...retracted,
    remarks,
    ...(view.steered && { steered: some(kept(view.steered)) }),
    ...(view.waits && { waits: some(kept(view.waits)) }),
    ...(waited && { waiting_since: waited }),
  };
}

/** Returns an event without the fields that all events share, in a feed of several sessions too. */
function payload(event: TurnEventData): Partial<TurnEventData> {
  const { turn_id: _, seq: __, at: ___, session_id: ____, cursor: _____, ...fields } = event;
  return fields;
}

/** Lists that a view need not have are absent if they are empty. */
function some<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function withPart(view: TurnView, event: TurnEventData, change: (part: PartView) => PartView): TurnView {
  const index = view.parts.findLastIndex((part) => part.part_id === event.part_id);
  const part = view.parts[index];
  return part ? { ...view, parts: view.parts.with(index, change(part)) } : view;
}

/** Adds its resolution to the last wait with this id. */
function withWait(view: TurnView, id: string | undefined, decided: InteractionDecision): TurnView {
  const waits = view.waits ?? [];
  const index = waits.findLastIndex((wait) => wait.id === id);
  const wait = waits[index];
  return wait ? { ...view, waits: waits.with(index, { ...wait, decided }) } : view;
}

/** Changes a call, which is added in the order of calls if this is the first event about it. */
function withTool(view: TurnView, event: TurnEventData, change: (tool: ToolView) => ToolView): TurnView {
  const call_id = event.call_id ?? "";
  const index = view.tools.findIndex((tool) => tool.call_id === call_id);
  const known = view.tools[index];
  if (known) return { ...view, tools: view.tools.with(index, change(known)) };
  const written = writtenArguments(view, call_id);
  const tool = change({ call_id, name: "", arguments: written, since: event.seq });
  const place = view.tools.findIndex((other) => isBefore(call_id, other.call_id));
  return { ...view, tools: view.tools.toSpliced(place < 0 ? view.tools.length : place, 0, tool) };
}

/** Returns the arguments of a call as the model wrote them. */
function writtenArguments(view: TurnView, call: string): string {
  const [step, ordinal] = position(call);
  const calls = view.parts.filter((part) => part.type === "tool_call" && part.part_id.startsWith(`${step}.`));
  return calls[ordinal]?.text ?? "";
}

/** Returns the step of a call and its number in the step, with which its id ends. */
export function position(call: string): [step: number, ordinal: number] {
  const [step, ordinal] = call.split(".").slice(-2).map(Number);
  return [step ?? 0, ordinal ?? 0];
}

function isBefore(call: string, other: string): boolean {
  const [step, ordinal] = position(call);
  const [otherStep, otherOrdinal] = position(other);
  return step < otherStep || (step === otherStep && ordinal < otherOrdinal);
}

function remark(view: TurnView, code = "", text = "", of: Partial<RemarkView> = {}): TurnView {
  return { ...view, remarks: [...view.remarks, { code, text, ...of, since: view.seq }] };
}

function between(from: string | undefined, to: string | undefined): number | undefined {
  return from && to ? Math.max(0, Date.parse(to) - Date.parse(from)) : undefined;
}
