// What tabs and the worker send each other.

import type { Connection, FeedEvent } from "../net";

export type FromTab =
  /** `lock` names a lock of the browser that the tab holds until it is gone. */
  | { type: "join"; build: string; credential: string | undefined; lock: string | undefined }
  /** Without a cursor, the session begins with a `resync`. */
  | { type: "follow"; subscription: number; session: string; after: string | undefined }
  | { type: "unfollow"; subscription: number }
  /** The user looks at the tab, or the browser has a network again. */
  | { type: "wake" }
  /** No tab is looked at, and the connection is to be closed until one is. */
  | { type: "sleep" }
  | { type: "leave" };

export type ToTab =
  /** `failures` is the number of attempts that failed since the connection was open. */
  | { type: "connection"; state: Connection; failures: number }
  /** Events of a session's feed. */
  | { type: "events"; subscription: number; events: FeedEvent[] }
  /** Changes among all sessions and open interactions of the user. */
  | { type: "changes"; events: FeedEvent[] }
  /** The session does not exist, or no longer. */
  | { type: "removed"; subscription: number }
  /** The server refuses to let the sessions be followed, most often because of the credential. */
  | { type: "refused"; status: number; code: string; message: string }
  /** The tab and the worker belong to different builds of the page. */
  | { type: "outdated" };
