import type { Client } from "./client";
import { type ApiError, isRefusal } from "./error";
import { feed, isSessionId, MOST_SESSIONS } from "./feed";
import { pauseAfter } from "./pause";
import type { FeedEvent, FollowedSession } from "./types";

/** The time for which a replaced connection still delivers changes that happened before its successor was opened. */
const OVERLAP_MS = 1_000;

export type Connection = "connecting" | "open" | "lost";

export interface Follower {
  /**
   * Called with the events that arrived together. Each event with a cursor is passed once, in order; `session.removed`
   * is the last one of its session.
   */
  events(events: FeedEvent[]): void;
  /** Called when the connection is opened or lost, with the number of attempts that failed since it was open. */
  connection(state: Connection, failures: number): void;
  /** Called when following cannot continue, because the server refuses it. Nothing else is called after that. */
  ended(error: ApiError): void;
}

export interface Following {
  /** The sessions that are followed, and how far. Another call may continue from there. */
  readonly sessions: FollowedSession[];
  /**
   * Follows one more session. Without a cursor, it begins with a `resync`, even if it is followed already. Throws a
   * `RangeError` if this is not the id of a session, or if 32 others are followed. These go on.
   */
  add(session: string, after?: string): void;
  remove(session: string): void;
  /** Tries again at once, if the connection is lost. */
  reconnect(): void;
  stop(): void;
}

/**
 * Follows the feeds of sessions over one connection, and comes back after their last events whenever it is lost, after
 * a pause. If the sessions change, another connection is opened before the present one is closed. Throws what
 * `Following.add` throws.
 */
export function follow(
  client: Client,
  follower: Follower,
  options: { sessions?: FollowedSession[]; me?: boolean } = {},
): Following {
  const following = new Feed(client, follower, options.me ?? false);
  following.begin(options.sessions ?? []);
  return following;
}

/** Reports whether an event is about all sessions of the caller, and not one of a session's own feed. */
export function isChange({ event }: FeedEvent): boolean {
  return event === "session.changed" || event === "session.removed" || event === "interactions.changed";
}

/** A connection, which another one may replace. */
class Stream {
  readonly closing = new AbortController();
  /** The cursors of the events that the replaced connection has delivered meanwhile, by session. */
  readonly #delivered = new Map<string, Set<string>>();

  constructor(readonly sessions: FollowedSession[]) {}

  close(): void {
    this.closing.abort();
  }

  noteDelivered(session: string, cursor: string): void {
    const cursors = this.#delivered.get(session) ?? new Set();
    this.#delivered.set(session, cursors.add(cursor));
  }

  /** Reports whether the replaced connection has delivered an event. */
  isRepeated(session: string, cursor: string): boolean {
    return this.#delivered.get(session)?.delete(cursor) ?? false;
  }

  /** Notes that a session begins anew: then events that were delivered before are needed again. */
  noteResync(session: string): void {
    this.#delivered.delete(session);
  }
}

class Feed implements Following {
  readonly #client: Client;
  readonly #follower: Follower;
  readonly #me: boolean;
  /** The last event of each session; none if it has had no event. */
  readonly #cursors = new Map<string, string | undefined>();
  /** The sessions that begin with a `resync`, which has not arrived. */
  readonly #anew = new Set<string>();
  /** The connection whose events count. */
  #current: Stream | undefined;
  /** The connection that is going to replace it. */
  #opening: Stream | undefined;
  /** The connection that was replaced last. Only changes among all sessions still count. */
  #replaced: Stream | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(client: Client, follower: Follower, me: boolean) {
    this.#client = client;
    this.#follower = follower;
    this.#me = me;
  }

  get sessions(): FollowedSession[] {
    return [...this.#cursors].map(([id, after]) => (after && !this.#anew.has(id) ? { id, after } : { id }));
  }

  begin(sessions: FollowedSession[]): void {
    for (const { id, after } of sessions) this.#note(id, after);
    this.#follower.connection("connecting", 0);
    this.#wait(0);
  }

  add(session: string, after?: string): void {
    this.#note(session, after);
    this.#wait(0);
  }

  remove(session: string): void {
    this.#forget(session);
    this.#wait(0);
  }

  reconnect(): void {
    if (this.#failures > 0 && !this.#opening) this.#wait(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const stream of [this.#current, this.#opening, this.#replaced]) stream?.close();
  }

  /** Notes a session to follow. One that is refused here would make the server refuse all of them. */
  #note(session: string, after: string | undefined): void {
    if (!isSessionId(session)) throw new RangeError(`${JSON.stringify(session)} is not the id of a session`);
    if (this.#cursors.size >= MOST_SESSIONS && !this.#cursors.has(session)) {
      throw new RangeError(`${MOST_SESSIONS} sessions are followed: remove one, or follow others separately`);
    }
    this.#cursors.set(session, after);
    if (after === undefined) this.#anew.add(session);
  }

  #forget(session: string): void {
    this.#cursors.delete(session);
    this.#anew.delete(session);
  }

  /** Opens a connection after a pause. Changes of the sessions that follow each other need only one. */
  #wait(pause: number): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#open(), pause);
  }

  async #open(): Promise<void> {
    this.#opening?.close();
    this.#opening = undefined;
    if (this.#isIdle()) {
      this.#current?.close();
      this.#current = undefined;
      return;
    }
    const stream = new Stream(this.sessions);
    this.#opening = stream;
    const { signal } = stream.closing;
    const options = { me: this.#me, signal, opened: () => this.#opened(stream) };
    let reason: unknown;
    try {
      for await (const events of feed(this.#client, stream.sessions, options)) {
        const counting = events.filter((event) => !signal.aborted && this.#counts(stream, event));
        if (counting.length > 0) this.#follower.events(counting);
      }
    } catch (error) {
      reason = error;
    }
    if (!signal.aborted) this.#ended(stream, reason);
  }

  #isIdle(): boolean {
    return this.#cursors.size === 0 && !this.#me;
  }

  #opened(stream: Stream): void {
    this.#replaced?.close();
    const replaced = this.#current;
    this.#replaced = replaced;
    setTimeout(() => replaced?.close(), OVERLAP_MS);
    this.#opening = undefined;
    this.#current = stream;
    this.#failures = 0;
    this.#follower.connection("open", 0);
  }

  /** Notes an event of a connection. Reports whether it is new. */
  #counts(stream: Stream, event: FeedEvent): boolean {
    const { session, cursor } = event;
    if (isChange(event)) {
      if (session && event.event === "session.removed") this.#forget(session);
      return true;
    }
    if (stream !== this.#current || !session || !this.#cursors.has(session)) return false;
    if (event.event === "resync") {
      this.#anew.delete(session);
      stream.noteResync(session);
    }
    // Without a cursor, it describes the present state.
    if (!cursor) return true;
    if (stream.isRepeated(session, cursor)) return false;
    this.#cursors.set(session, cursor);
    this.#opening?.noteDelivered(session, cursor);
    return true;
  }

  #ended(stream: Stream, reason: unknown): void {
    stream.close();
    if (stream === this.#replaced) return;
    if (stream === this.#opening) this.#opening = undefined;
    else this.#current = undefined;
    if (isRefusal(reason)) {
      this.stop();
      return this.#follower.ended(reason);
    }
    if (this.#isIdle()) return;
    this.#failures += 1;
    // A connection that cannot be replaced goes on.
    if (!this.#current) this.#follower.connection("lost", this.#failures);
    if (this.#opening) return;
    this.#wait(pauseAfter(this.#failures));
  }
}
