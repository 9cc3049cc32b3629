import { type Cost, client, type PagedTurn, type Session, type Usage } from "../shared";

// The JSON of the routes that only these screens need, as docs/http.md describes it.

/** A turn in a list. */
export interface TurnRow {
  id: string;
  session_id: string;
  number: number;
  agent: string;
  state: string;
  accepted_at: string;
  ended_at: string | null;
  usage?: Usage & { unmetered_calls?: number };
  cost?: Cost;
  kind?: string;
  parent_turn_id?: string;
  /** The title of the session. */
  title?: string;
  /** The models that answered, in order. */
  models?: { provider: string; model: string }[];
  /** The code of the first error. */
  error?: string;
  /** The time from the message to the first answer, in milliseconds. */
  first_ms?: number;
}

/** A part of a turn with its duration. Each comes after its parent, the span that contains it. */
export interface TraceSpan {
  id: string;
  parent?: string;
  kind: "turn" | "step" | "attempt" | "tool" | "wait" | "compaction";
  name: string;
  start_ms?: number;
  ms?: number;
  first_ms?: number;
  /** The tokens of its model calls, input and output together, and their cost. */
  tokens?: number;
  cost?: Cost;
  error?: string;
}

/** A turn as it is listed, as it is drawn, and what took how long in it. */
export interface LoadedTurn {
  row: TurnRow;
  view: PagedTurn | undefined;
  trace: TraceSpan[];
  title: string;
}

export interface UsageRow {
  day?: string;
  user?: string;
  agent?: string;
  provider?: string;
  model?: string;
  calls: number;
  usage: Usage & { unmetered_calls?: number };
  cost: Cost;
}

/** A limit of what the user may consume, and how much of it is used. */
export interface BudgetLevel {
  period: "day" | "ever";
  unit: "tokens" | "nano_usd";
  limit: number;
  used: number;
}

export interface UsageReport {
  from: string;
  to: string;
  data: UsageRow[];
  total: UsageRow;
}

/** A provider. Its status is only there for operators. */
export interface ProviderStatus {
  id: string;
  models: string[];
  tags?: string[];
  state?: string;
  running?: number;
  waiting?: number;
  max_concurrency?: number;
  calls?: number;
  failures?: number;
  frozen?: { code: string; message: string; since: string; until?: string; failures: number };
  missing?: { model: string; until: string }[];
}

export interface McpServer {
  name: string;
  transport: string;
  program?: string;
  url?: string;
  state: string;
  error?: string;
  retry_at?: string;
  connections: number;
  protocol?: string;
  server?: string;
  tools_read_at?: string;
  tools: (McpTool | ChangedTool)[];
}

export interface McpTool {
  name: string;
  state: string;
  reason?: string;
  changed_at?: string;
}

/** A tool whose definition is not the accepted one, with its present definition. */
export interface ChangedTool extends McpTool {
  description: string;
  input_schema: unknown;
  effects: { read_only: boolean; idempotent: boolean; destructive: boolean; open_world: boolean };
  fingerprint: string;
}

export interface Grant {
  id: string;
  tool: string;
  session_id: string | null;
  subject: Record<string, unknown> | null;
  untrusted: boolean;
  created_at: string;
}

export interface ToolRow {
  name: string;
  description: string;
  source: string;
  server?: string;
  policy?: string;
  agents?: string[];
}

export interface ApiKey {
  id: string;
  name: string;
  user: string;
  scopes: string[];
  created_at: string;
  revoked_at?: string;
}

export interface NewKey {
  name: string;
  user?: string;
  scopes: string[];
}

export interface CreatedKey {
  id: string;
  name: string;
  user: string;
  scopes: string[];
  /** The secret, which is shown this one time. */
  key: string;
}

/** Returns the JSON of a route. */
export async function get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  const response = await client.send("GET", `api/v1/${path}${given && `?${given}`}`);
  return (await response.json()) as T;
}

/** Returns all items of a list that is short, such as one of the configuration. */
export async function getAll<T>(path: string): Promise<T[]> {
  return (await client.all<T>(`api/v1/${path}`)).data;
}

/** Returns the part of an address that names another user. */
export function queryOf(user: string): string {
  return user && `?${new URLSearchParams({ user }).toString()}`;
}

export async function post<T>(path: string, body?: unknown): Promise<T> {
  const response = await client.send("POST", `api/v1/${path}`, body);
  return (await response.json()) as T;
}

export async function remove(path: string): Promise<void> {
  await client.send("DELETE", `api/v1/${path}`);
}

/** Loads a turn. The server shows numbers, and no words, of the turns of another user. */
export async function loadTurn(id: string, user: string): Promise<LoadedTurn> {
  const path = `turns/${encodeURIComponent(id)}`;
  if (user) {
    const [row, trace] = await Promise.all([get<TurnRow>(path, { user }), get<TraceSpan[]>(`${path}/trace`, { user })]);
    return { row, view: undefined, trace, title: "" };
  }
  const row = await get<TurnRow>(path);
  const session = `sessions/${row.session_id}`;
  const [trace, page, { title }] = await Promise.all([
    get<TraceSpan[]>(`${path}/trace`),
    get<{ data: PagedTurn[] }>(`${session}/turns`, { around: id, limit: "1" }),
    get<Session>(session),
  ]);
  return { row, view: page.data.find((turn) => turn.turn_id === id), trace, title };
}
