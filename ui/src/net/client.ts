import { ApiError } from "./error";
import { EventStream } from "./sse";
import type { Decision, Frame, Interaction, List, PageSummary, Provider, Session, TurnPage } from "./types";

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

  sessions(options: { query?: string; cursor?: string; limit?: number } = {}): Promise<List<Session>> {
    return this.#json("GET", `api/v1/sessions${query({ q: options.query, cursor: options.cursor, limit: options.limit })}`);
  }

  rename(session: string, title: string): Promise<Session> {
    return this.#json("PATCH", `api/v1/sessions/${session}`, { title });
  }

  async remove(session: string): Promise<void> {
    await this.#send("DELETE", `api/v1/sessions/${session}`);
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
  ): Promise<Response> {
    const credential = this.#options.credential?.();
    const all: Record<string, string> = { ...headers };
    if (credential) all.authorization = `Bearer ${credential}`;
    const init: RequestInit = { method, headers: all, cache: "no-store", credentials: "omit" };
    if (signal) init.signal = signal;
    if (body !== undefined) {
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
