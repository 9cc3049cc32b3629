import { ApiError } from "./error";
import { EventStream } from "./sse";
import type {
  Agent,
  Decision,
  Frame,
  Interaction,
  List,
  Me,
  Model,
  PageSummary,
  Provider,
  Session,
  SessionChange,
  Thinking,
  TurnPage,
  UploadedFile,
} from "./types";

/** The time without a byte after which a stream counts as lost. The server sends a comment every 15 seconds. */
const SILENCE_MS = 35_000;

export interface StartedTurn {
  turn_id: string;
  session_id: string;
}

export interface NewTurn {
  message: string;
  session_id?: string;
  agent?: string;
  route?: { model: string };
  params?: { thinking: Thinking };
  /** Whether the turn has tools; if absent, as its session says. */
  tools?: "none" | "auto";
  /** The ids of uploaded files, which the model reads before the message. */
  files?: string[];
  /** What happens if the session is busy; if absent, what its agent does. */
  on_busy?: "enqueue" | "steer";
  /** The same key with the same message starts one turn, however often it is sent. */
  key: string;
}

export interface ClientOptions {
  /** The address of the server. Relative addresses start at that of the page. */
  base?: string;
  /** Returns the API key or token, if requests need one. */
  credential?: () => string | undefined;
  /** Called when the server refuses the credential. */
  refused?: () => void;
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
    return this.#json("GET", "api/v1/agents");
  }

  models(): Promise<List<Model>> {
    return this.#json("GET", "api/v1/models");
  }

  me(): Promise<Me> {
    return this.#json("GET", "api/v1/me");
  }

  /** Lists the turns that run now, in all sessions. */
  runningTurns(): Promise<List<{ session_id: string }>> {
    return this.#json("GET", "api/v1/turns?state=running&limit=200");
  }

  turns(session: string, options: { before?: number; limit?: number } = {}): Promise<TurnPage> {
    return this.#json("GET", `api/v1/sessions/${session}/turns${query(options)}`);
  }

  /** Starts a turn whose calls may wait for a person. */
  start({ key, ...turn }: NewTurn): Promise<StartedTurn> {
    return this.#json("POST", "api/v1/turns", { ...turn, interact: true }, { "idempotency-key": key });
  }

  async cancel(turn: string): Promise<void> {
    await this.#send("POST", `api/v1/turns/${turn}/cancel`);
  }

  interactions(): Promise<List<Interaction>> {
    return this.#json("GET", "api/v1/interactions?limit=200");
  }

  resolve(interaction: string, decision: Decision): Promise<Interaction> {
    return this.#json("POST", `api/v1/interactions/${interaction}`, decision);
  }

  providers(): Promise<List<Provider>> {
    return this.#json("GET", "api/v1/providers");
  }

  /**
   * Yields the events of a session's feed until the connection ends. Each array has the events that arrived together.
   * After a cursor, the feed continues with the next event; without one, it begins with a `resync`.
   */
  async *feed(session: string, options: { after?: string; signal: AbortSignal; opened?: () => void }): AsyncGenerator<Frame[]> {
    const silence = new AbortController();
    const signal = AbortSignal.any([options.signal, silence.signal]);
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (options.after) headers["last-event-id"] = options.after;
      const response = await this.#send("GET", `api/v1/sessions/${session}/events`, undefined, headers, signal);
      options.opened?.();
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventStream();
      while (reader) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        const frames = events.push(value);
        if (frames.length > 0) yield frames;
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** Sends a request for which there is no method here, and returns the response. Errors are thrown. */
  send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    return this.#send(method, path, body, {}, signal);
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
    const credential = this.#options.credential?.();
    const all: Record<string, string> = { ...headers };
    if (credential) all.authorization = `Bearer ${credential}`;
    const init: RequestInit = { method, headers: all, cache: "no-store", credentials: "omit" };
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
    if (error.status === 401) this.#options.refused?.();
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
