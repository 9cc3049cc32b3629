import { ApiError } from "./error";
import type {
  Agent,
  Decision,
  InputPart,
  Interaction,
  List,
  Me,
  Model,
  PageSummary,
  Provider,
  Session,
  SessionChange,
  Thinking,
  TurnMatch,
  TurnPage,
  UploadedFile,
} from "./types";

export interface StartedTurn {
  turn_id: string;
  session_id: string;
}

/** The message of a user: a text, or texts and images in their order. */
export type NewMessage = { message: string; parts?: never } | { message?: never; parts: InputPart[] };

/** What a turn may be started with besides its message. */
export interface TurnOptions {
  session_id?: string;
  agent?: string;
  route?: { model: string };
  params?: { thinking: Thinking };
  /** Whether the turn has tools; if absent, as its session says. */
  tools?: "none" | "auto";
  /** The ids of uploaded files, which the model reads before the message. */
  files?: string[];
  /** The turn to continue, `null` for none; if absent, the head. */
  after?: string | null;
  /** What happens if the session is busy; if absent, what its agent does. */
  on_busy?: "enqueue" | "steer";
}

export type NewTurn = NewMessage &
  TurnOptions & {
    /** The same key with the same message starts one turn, however often it is sent. */
    key: string;
  };

/** At most one of `before`, `after` and `around` is given. */
export interface TurnRange {
  before?: string | number;
  after?: string | number;
  around?: string | number;
  limit?: number;
}

export interface ClientOptions {
  /** The address of the server. Relative addresses start at that of the page. */
  base?: string;
  /** Returns the API key or token, if requests need one. */
  credential?: () => string | undefined;
  /** Called when the server refuses the credential. */
  refused?: (error: ApiError) => void;
}

/** A client of a turnkit server. */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions = {}) {
    this.#options = options;
  }

  page(): Promise<PageSummary> {
    return this.#json("GET", "page.json");
  }

  sessions(
    options: { query?: string; cursor?: string; limit?: number; archived?: boolean } = {},
  ): Promise<List<Session>> {
    const { query: q, cursor, limit, archived } = options;
    return this.#json("GET", `api/v1/sessions${query({ q, cursor, limit, archived: archived?.toString() })}`);
  }

  change(session: string, changed: SessionChange): Promise<Session> {
    return this.#json("PATCH", `api/v1/sessions/${session}`, changed);
  }

  /** Deletes a session. With `keepalive`, the request is sent even if the page is closed meanwhile. */
  async remove(session: string, options: { keepalive?: boolean } = {}): Promise<void> {
    await this.#send("DELETE", `api/v1/sessions/${session}`, undefined, {}, undefined, options.keepalive);
  }

  /** Starts a turn that has earlier messages summarised. */
  compact(session: string): Promise<StartedTurn> {
    return this.#json("POST", `api/v1/sessions/${session}/compact`);
  }

  async exportSession(session: string, format: "md" | "jsonl"): Promise<Blob> {
    const response = await this.#send("GET", `api/v1/sessions/${session}/export?format=${format}`);
    return response.blob();
  }

  /** Creates a session from an exported one. */
  importSession(file: Blob): Promise<Session> {
    return this.#json("POST", "api/v1/sessions/import", file);
  }

  /** Stores a file, which the next message may name. */
  async upload(name: string, content: Blob, signal?: AbortSignal): Promise<UploadedFile> {
    const response = await this.#send("POST", `api/v1/files${query({ name })}`, content, {}, signal);
    return (await response.json()) as UploadedFile;
  }

  agents(): Promise<List<Agent>> {
    return this.all("api/v1/agents");
  }

  models(): Promise<List<Model>> {
    return this.all("api/v1/models");
  }

  me(): Promise<Me> {
    return this.#json("GET", "api/v1/me");
  }

  /** Returns the last turns of a session, or those before, after or around one, which its id or its number names. */
  turns(session: string, options: TurnRange = {}): Promise<TurnPage> {
    return this.#json("GET", `api/v1/sessions/${session}/turns${query({ ...options })}`);
  }

  /** Returns the turns of a session that have all words, the newest first. */
  searchTurns(session: string, words: string, cursor?: string): Promise<List<TurnMatch>> {
    return this.#json("GET", `api/v1/sessions/${session}/search${query({ q: words, cursor })}`);
  }

  /** Starts a turn whose calls may wait for a person. */
  start({ key, ...turn }: NewTurn): Promise<StartedTurn> {
    return this.#json("POST", "api/v1/turns", { ...turn, interact: true }, { "idempotency-key": key });
  }

  async cancel(turn: string): Promise<void> {
    await this.#send("POST", `api/v1/turns/${turn}/cancel`);
  }

  interactions(): Promise<List<Interaction>> {
    return this.all("api/v1/interactions");
  }

  resolve(interaction: string, decision: Decision): Promise<Interaction> {
    return this.#json("POST", `api/v1/interactions/${interaction}`, decision);
  }

  providers(): Promise<List<Provider>> {
    return this.all("api/v1/providers");
  }

  /** Returns all pages of a list as one. */
  async all<T>(path: string, filter: Record<string, string> = {}): Promise<List<T>> {
    const { data, next }: List<T> = await this.#json("GET", path + query({ ...filter, limit: 200 }));
    const rest = next ? await this.all<T>(path, { ...filter, cursor: next }) : { data: [] };
    return { data: [...data, ...rest.data], next: null };
  }

  /** Sends a request for which there is no method here, and returns the response. Errors are thrown. */
  send(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
    headers?: Record<string, string>,
  ): Promise<Response> {
    return this.#send(method, path, body, headers, signal);
  }

  async #json<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const response = await this.#send(method, path, body, headers);
    return (await response.json()) as T;
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
    keepalive?: boolean,
  ): Promise<Response> {
    // What is open to everyone may be preloaded, which is of no use to a request with a header.
    const credential = path.startsWith("api/") ? this.#options.credential?.() : undefined;
    const all: Record<string, string> = { ...headers };
    if (credential) all.authorization = `Bearer ${credential}`;
    // A proxy may know people by a cookie of the page's origin. The server itself reads none.
    const init: RequestInit = { method, headers: all, cache: "no-store", credentials: "same-origin" };
    if (signal) init.signal = signal;
    if (keepalive) init.keepalive = true;
    if (body instanceof Blob) {
      // The server looks at the content alone.
      init.body = body;
    } else if (body !== undefined) {
      all["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    const response = await fetch((this.#options.base ?? "") + path, init).catch((error: unknown) => {
      throw ApiError.unreachable(error);
    });
    if (response.ok) return response;
    const error = await ApiError.of(response);
    if (error.status === 401) this.#options.refused?.(error);
    throw error;
  }
}

function query(values: Record<string, string | number | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}
