import type { Client, StartedTurn } from "./client";
import { ApiError, isRefusal } from "./error";
import { emptyTurn, foldTurn, type TurnEventData } from "./fold";
import { type Connection, follow } from "./follow";
import { pause, pauseAfter } from "./pause";
import type { FeedEvent, PagedTurn, QueueEvent, Resync, TurnView } from "./types";

export interface FollowTurnOptions {
  /** Ends the iteration. The turn continues. */
  signal?: AbortSignal;
  /** Called when the connection is opened or lost, with the number of attempts that failed since it was open. */
  connection?: (state: Connection, failures: number) => void;
}

/**
 * Yields the view of a turn, and again whenever events have changed it, until the turn has ended. If the connection is
 * lost, it reconnects and continues without gaps. Throws if there is no such turn, or the server refuses to show it.
 */
export async function* followTurn(
  client: Client,
  { turn_id, session_id }: StartedTurn,
  { signal, connection }: FollowTurnOptions = {},
): AsyncGenerator<TurnView> {
  let arrived: FeedEvent[] = [];
  let failure: ApiError | undefined;
  let wake = () => {};
  const follower = {
    events: (events: FeedEvent[]) => {
      arrived.push(...events);
      wake();
    },
    connection: (state: Connection, failures: number) => connection?.(state, failures),
    ended: (error: ApiError) => {
      failure = error;
      wake();
    },
  };
  const following = follow(client, follower, { sessions: [{ id: session_id }] });
  const stop = () => wake();
  signal?.addEventListener("abort", stop);
  try {
    let view = emptyTurn(turn_id, 0);
    while (!signal?.aborted) {
      const events = arrived;
      arrived = [];
      const before = view;
      for (const event of events) view = await applied(view, event, () => stored(client, session_id, view, signal));
      if (view !== before) yield view;
      if (view.status) return;
      if (arrived.length > 0 || signal?.aborted) continue;
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    following.stop();
  }
}

/** Returns the view of a turn after an event of its session's feed; `read` reads it from the server. */
async function applied(view: TurnView, { event, data }: FeedEvent, read: () => Promise<TurnView>): Promise<TurnView> {
  if (event === "session.removed") throw new ApiError(404, "not_found", "the session does not exist");
  if (event === "resync") {
    const { turns, queue } = data as Resync;
    return paged(view, turns.data) ?? queued(view, queue) ?? (await read());
  }
  if (event === "queue") return queued(view, (data as QueueEvent).queue) ?? view;
  const fields = data as Partial<TurnEventData>;
  const isOfTurn = fields.turn_id === view.turn_id && fields.seq !== undefined;
  return isOfTurn ? foldTurn(view, event, fields as TurnEventData) : view;
}

/** Returns the view of a turn that waits for its session. */
function queued(view: TurnView, queue: QueueEvent["queue"]): TurnView | undefined {
  const waiting = queue.find(({ turn_id }) => turn_id === view.turn_id);
  if (!waiting) return undefined;
  const { number, input } = waiting;
  return view.number === number ? view : { ...view, number, input };
}

/** Returns the view of a turn that is on a page of turns. */
function paged(view: TurnView, turns: PagedTurn[]): TurnView | undefined {
  const found = turns.find(({ turn_id }) => turn_id === view.turn_id);
  if (!found) return undefined;
  const { state: _, after: __, kind: ___, ...turn } = found;
  return turn;
}

/** Returns the view of a turn after which others of its session have begun. Tries again until the server answers. */
async function stored(client: Client, session: string, view: TurnView, signal?: AbortSignal): Promise<TurnView> {
  for (let failures = 1; !signal?.aborted; failures += 1) {
    try {
      const { data } = await client.turns(session, { around: view.turn_id, limit: 1 });
      return paged(view, data) ?? view;
    } catch (error) {
      if (isRefusal(error)) throw error;
      await pause(pauseAfter(failures), signal);
    }
  }
  return view;
}
