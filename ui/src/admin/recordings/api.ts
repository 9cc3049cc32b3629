import { ApiError, type List } from "../../shared";
import { get, post, queryOf } from "../api";

// The JSON of the routes of recordings, as docs/http.md describes it.

/** A turn of which exchanges with providers are recorded. */
export interface Recording {
  turn_id: string;
  exchanges: number;
  models: { provider: string; model: string }[];
  began_at?: string;
  /** The title of the session. It, the state and the agent are absent for turns of other users. */
  title?: string;
  state?: string;
  agent?: string;
}

/** A body as text, or its beginning. */
export interface RecordedText {
  text: string;
  bytes: number;
  more?: boolean;
}

/** A request to a provider and its outcome. */
export interface Exchange {
  number: number;
  step: number;
  attempt: number;
  provider: string;
  model: string;
  api: string;
  url: string;
  began_at?: string;
  ended_at?: string;
  status?: number;
  headers: Record<string, string>;
  ended: string;
  failure?: { code: string; message: string };
  masked: number;
  request: RecordedText;
  response?: RecordedText;
}

/** A page of the exchanges of a turn. */
export interface Exchanges extends List<Exchange> {
  turn_id: string;
  title?: string;
  state?: string;
  unreadable?: string[];
}

/** What came of a replay. */
export interface Replay {
  same: boolean;
  events: { stored: number; replayed: number };
  difference: Difference | null;
  missing: { step: number; attempt: number }[];
  requests: { step: number; attempt: number; at: string }[];
}

/** The first difference between a stored turn and its replay. */
export interface Difference {
  event?: number;
  message?: number;
  kind?: string;
  at: string;
  stored: unknown;
  replayed: unknown;
}

const pathOf = (turn: string) => `recordings/${encodeURIComponent(turn)}`;

export function loadRecordings(user: string, cursor = ""): Promise<List<Recording>> {
  return get("recordings", { user, limit: "50", cursor });
}

export function loadExchanges(turn: string, user: string, cursor = ""): Promise<Exchanges> {
  return get(pathOf(turn), { user, cursor });
}

/** Returns an exchange with as much of its bodies as the server shows at all. */
export async function loadWhole(turn: string, user: string, number: number): Promise<Exchange | undefined> {
  const cursor = number > 1 ? String(number - 1) : "";
  const page = await get<Exchanges>(pathOf(turn), { user, whole: "1", cursor });
  return page.data.find((exchange) => exchange.number === number);
}

export function replayTurn(turn: string, user: string): Promise<Replay> {
  return post(`${pathOf(turn)}/replay${queryOf(user)}`);
}
/** Whether the server is known to record nothing. */
let isOff = false;

/** Reports whether a turn has a recording. */
export async function isRecorded(turn: string): Promise<boolean> {
  if (isOff) return false;
  try {
    const { data } = await get<List<Recording>>("recordings", { turn, limit: "1" });
    return data.length > 0;
  } catch (error) {
    isOff = error instanceof ApiError && error.status === 404;
    return false;
  }
}
