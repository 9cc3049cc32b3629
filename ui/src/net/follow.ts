import type { Client } from "./client";
import { ApiError } from "./error";
import type { Frame } from "./types";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export type Connection = "connecting" | "open" | "lost";

export interface Follower {
  /** Called with the events that arrived together, each exactly once. */
  events(frames: Frame[]): void;
  /** Called when the connection is opened or lost, with the number of attempts that failed since it was open. */
  connection(state: Connection, failures: number): void;
  /** Called when following cannot continue: the session does not exist, or the credential is refused. */
  ended(error: ApiError): void;
}

export interface Following {
  /** The position in the feed, from which another call may continue. */
  readonly cursor: string | undefined;
  stop(): void;
  /** Tries again at once, if the connection is lost. */
  reconnect(): void;
}

/**
 * Follows a session's feed, and comes back after its last event whenever the connection is lost, after a pause.
 */
export function follow(client: Client, session: string, follower: Follower, after?: string): Following {
  const stopped = new AbortController();
  let cursor = after;
  let wake: (() => void) | undefined;

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async () => {
    let failures = 0;
    while (!stopped.signal.aborted) {
      follower.connection(failures === 0 ? "connecting" : "lost", failures);
      try {
        const opened = () => {
          failures = 0;
          follower.connection("open", 0);
        };
        const options = { signal: stopped.signal, opened, ...(cursor && { after: cursor }) };
        for await (const frames of client.feed(session, options)) {
          cursor = frames.findLast((frame) => frame.id)?.id ?? cursor;
          follower.events(frames);
        }
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return follower.ended(error);
        // The cursor belongs to events that are no longer kept: begin with a snapshot.
        if (error instanceof ApiError && error.status === 410) cursor = undefined;
      }
      if (stopped.signal.aborted) return;
      failures += 1;
      follower.connection("lost", failures);
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
      await pause(longest * (0.5 + Math.random() / 2));
    }
  };
  void run();
  return {
    get cursor() {
      return cursor;
    },
    stop: () => {
      stopped.abort();
      wake?.();
    },
    reconnect: () => wake?.(),
  };
}
