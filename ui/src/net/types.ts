// The JSON of the server's API, as docs/http.md describes it. Clients ignore fields that are not listed here. Events,
// and what is part of them, are in events.ts.

import type {
  ChildPlace,
  InteractionDecision,
  ResyncEvent,
  Session as SessionState,
  ToolQuestion,
  ToolView,
  TurnView,
  WaitKind,
} from "./events";

export type * from "./events";

/** A session as lists have it. */
export interface Session extends SessionState {
  /** In a search: the newest turn that has all words. */
  match?: TurnMatch;
}

/** A turn that was found by words, with the text around the first of them. */
export interface TurnMatch {
  turn_id: string;
  number: number;
  excerpt: string;
}

/** A turn of a page of turns. */
export interface PagedTurn extends TurnView {
  state: string;
  after: string | null;
  kind?: string;
  /** Whether texts of the message are cut. */
  more?: boolean;
}

export interface TurnPage {
  data: PagedTurn[];
  /** The number of the last turn of the session. */
  turns: number;
  before: number | null;
  after: number | null;
}

/** Data of a result that only clients read. */
export type ToolData = NonNullable<ToolView["data"]>;

/** An image of a result. `blob:ID` is the address of a file of the user. */
export type ToolImage = NonNullable<ToolView["images"]>[number];

/** A part of a message that a client sends. The address of an image begins with `https:` or `data:`. */
export type InputPart = { type: "text"; text: string } | { type: "image"; media_type: string; url: string };

/** The turn of a sub-agent. */
export type ChildTurnId = ChildPlace;

export type InteractionKind = WaitKind;

export type Question = ToolQuestion;

/** A call that waits, or waited, for a decision. */
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
  /** Absent or null while the call waits. */
  decided?: (InteractionDecision & { at?: string }) | null;
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
  scopes: string[];
  /** The agents that the caller may use; if absent, all. */
  agents?: string[];
  /** Whether the caller sees the data of other users. */
  oversees: boolean;
  /** Whether the caller sees and changes what all tenants share. */
  operator: boolean;
}

export interface Provider {
  id: string;
  models: string[];
}

/** The state of a session, to which its later events are applied. */
export interface Resync extends Omit<ResyncEvent, "turns"> {
  /** The last turns. That which runs may contain events after the cursor. */
  turns: TurnPage;
}

/** A session to follow, and the cursor of the last event of it that is known. */
export interface FollowedSession {
  id: string;
  after?: string;
}

/** An event of a feed. */
export interface FeedEvent {
  event: string;
  /** The session that the event is about. */
  session: string | undefined;
  /** The position after the event. Events without one may be sent again. */
  cursor: string | undefined;
  data: unknown;
}

/** The data of `session.changed`. */
export interface SessionChanged {
  session: Session;
  /** Whether a turn of the session runs or waits for a decision. */
  running: boolean;
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
