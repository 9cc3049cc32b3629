// The JSON of the server's API, as docs/http.md and `turnkit schema events` describe it. Clients ignore fields that are
// not listed here.

export interface Usage {
  fresh: number;
  cache_read: number;
  cache_write: number;
  output: number;
  reasoning: number;
}

export interface Cost {
  nano_usd: number;
  /** Calls that are not part of the sum, because their price is unknown. */
  unpriced_calls: number;
}

export interface Session {
  id: string;
  name?: string;
  agent: string;
  title: string;
  turns: number;
  created_at: string;
  last_active: string;
  /** Absent where the server cannot pin and archive. */
  pinned?: boolean;
  archived?: boolean;
  /** The last turn of the branch that the next turn continues. */
  head?: string;
  /** In a search: the newest turn that has all words. */
  match?: { turn_id: string; number: number; excerpt: string };
}

export type TurnStatus = "completed" | "failed" | "cancelled" | "limit" | "interrupted" | "expired";

export type PartKind = "text" | "reasoning" | "tool_call" | "image" | "provider_tool";

/** A part of a message that is stored. Only the kinds that the page draws are listed. */
export type Part =
  | { type: "text" | "reasoning"; text: string }
  | { type: "image"; media_type: string; url: string }
  | { type: "file"; media_type: string; name: string; url: string }
  | { type: "context"; source: string; text: string }
  | { type: "other" };

export interface PartView {
  part_id: string;
  type: PartKind;
  name?: string;
  text: string;
  ended: boolean;
  since: number;
  /** Whether the server left out the end of the text. */
  more?: boolean;
}

export interface ToolView {
  call_id: string;
  name: string;
  arguments: string;
  ok?: boolean;
  content?: string;
  error?: string;
  /** How long the call ran, in milliseconds. */
  ms?: number;
  data?: { kind: string; payload: unknown };
  since: number;
  more?: boolean;
}

export interface StepView {
  step: number;
  provider?: string;
  model?: string;
  finish_reason?: string;
  usage?: Usage;
  cost?: Cost;
  began_at?: string;
  /** The time from the request to the first output, in milliseconds. */
  first_ms?: number;
  /** The time from the first output to the last, in milliseconds. */
  ms?: number;
  since: number;
}

export interface RemarkView {
  code: string;
  text: string;
  error?: boolean;
  since: number;
}

export interface SteeredView {
  steering_turn_id?: string;
  input: Part[];
  after_step: number;
  since: number;
}

/** A turn in the form in which a page draws it, live as well as from the store. */
export interface TurnView {
  turn_id: string;
  number: number;
  /** The number of the last event that the view contains. */
  seq: number;
  agent: string;
  accepted_at?: string;
  ended_at?: string;
  input: Part[];
  steered?: SteeredView[];
  steps: StepView[];
  waiting_since?: string;
  parts: PartView[];
  tools: ToolView[];
  remarks: RemarkView[];
  usage?: Usage;
  cost?: Cost;
  status?: TurnStatus;
  steered_into?: string;
}

/** A turn of a page of turns. */
export interface PagedTurn extends TurnView {
  state: string;
  after: string | null;
  kind?: string;
}

export interface TurnPage {
  data: PagedTurn[];
  /** The number of the last turn of the session. */
  turns: number;
  before: number | null;
  after: number | null;
}

export interface QueuedTurn {
  turn_id: string;
  number: number;
  input: Part[];
  steering?: boolean;
}

export type InteractionKind = "approval" | "outcome" | "question" | "client_tool" | "child";

export interface Question {
  text: string;
  choices?: string[];
  schema?: unknown;
}

/** A call that waits for a decision. */
export interface Interaction {
  id: string;
  kind: InteractionKind;
  session_id: string;
  turn_id: string;
  parent_turn_id?: string;
  name: string;
  arguments: string;
  reason: string;
  preview?: string;
  question?: Question;
  expires_at: string;
}

export type Decision =
  | { decision: "approve" | "approve_session" | "approve_always"; arguments?: unknown; note?: string }
  | { decision: "deny"; note?: string }
  | { outcome: "done" | "failed" | "retry"; note?: string }
  | { answer: unknown; note?: string };

export interface SessionChange {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
}

export interface UploadedFile {
  id: string;
  media_type: string;
  bytes: number;
}

export type Thinking = "off" | "low" | "medium" | "high" | "max";

export interface Agent {
  name: string;
  description?: string;
  model?: string;
  tools?: string[];
}

export interface Model {
  id: string;
  provider: string;
  tools: boolean;
  images: boolean;
  reasoning: boolean;
  /** The tokens of the longest request with its answer. */
  context?: number;
}

/** The caller: whose data its requests read and change, and what they may do. */
export interface Me {
  user: string;
  tenant: string;
  /** `agent:NAME` names an agent that the caller may use; without any, it may use all. */
  scopes: string[];
  /** Whether the caller sees the data of other users. */
  oversees: boolean;
  /** Whether the caller sees and changes what all tenants share. */
  operator: boolean;
}

export interface Provider {
  id: string;
  models: string[];
}

export interface Resync {
  session: Session;
  turn: TurnView | null;
  queue: QueuedTurn[];
  cursor: string;
}

/** The event of a stream. `id` is a cursor, which some events do not have. */
export interface Frame {
  event: string;
  id?: string;
  data: string;
}

export interface List<T> {
  data: T[];
  next: string | null;
}

/** What the server says about its page before the page may send requests. */
export interface PageSummary {
  auth: "none" | "api_key" | "jwt" | "api_key_or_jwt";
  build: string;
}
