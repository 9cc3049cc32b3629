import type { Client } from "./client";
import { framesOf } from "./sse";
import type { FeedEvent, FollowedSession, Frame } from "./types";

/** The time without a byte after which a stream counts as lost. The server sends a comment every 15 seconds. */
const SILENCE_MS = 35_000;

/** The most sessions of one feed: the server refuses a request with more. */
export const MOST_SESSIONS = 32;

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface FeedOptions {
  /** Whether the feed also has the changes among all sessions and open interactions of the caller. */
  me?: boolean;
  signal: AbortSignal;
  /** Called when the server has accepted the request. */
  opened?: () => void;
}

/**
 * Yields the events of several sessions until the connection ends. Each array has the events that arrived together.
 * After a cursor, a session continues with its next event; without one, it begins with a `resync`.
 */
export async function* feed(
  client: Client,
  sessions: FollowedSession[],
  { me = false, signal, opened }: FeedOptions,
): AsyncGenerator<FeedEvent[]> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const response = await client.send("POST", "api/v1/feed", { sessions, me }, either);
    opened?.();
    for await (const frames of framesOf(response)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (frames.length > 0) yield frames.map(read);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Reports whether a text is the id of a session, as events have it. Others make the server refuse the whole feed. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

function read({ event, data: text }: Frame): FeedEvent {
  const data = JSON.parse(text) as { session_id?: string; cursor?: string };
  return { event, session: data.session_id, cursor: data.cursor, data };
}
