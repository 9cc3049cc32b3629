import {
  client,
  type FeedEvent,
  followSession,
  foldTurn,
  type PagedTurn,
  type Resync,
  strings,
  type TurnEventData,
  type TurnPage,
  type TurnView,
} from "../shared";

/**
 * Calls `show` with the turn of a sub-agent, and again whenever it changes, until it has ended. Its session is one more
 * in the feed of the browser, because a connection of its own for each card would leave none for decisions. The feed
 * continues after lost connections.
 */
export async function followChild(turn: string, show: (view: TurnView) => void, signal: AbortSignal): Promise<void> {
  const { session, stored } = await load(turn, signal);
  let view: TurnView = stored;
  show(view);
  if (view.status || signal.aborted) return;
  await new Promise<void>((ended, refused) => {
    const unfollow = followSession(session, {
      events: (events) => {
        const before = view;
        view = events.reduce(applied, before);
        if (view !== before) show(view);
        if (view.status) end();
      },
      ended: refused,
    });
    const end = () => {
      unfollow();
      ended();
    };
    signal.addEventListener("abort", end);
  });
}

/** Loads a turn as it is stored, with the id of its session, which its parent does not name. */
async function load(turn: string, signal: AbortSignal): Promise<{ session: string; stored: PagedTurn }> {
  const get = async (path: string) => (await client.send("GET", `api/v1/${path}`, undefined, signal)).json();
  const { session_id: session } = (await get(`turns/${turn}`)) as { session_id: string };
  const { data } = (await get(`sessions/${session}/turns?around=${turn}&limit=1`)) as TurnPage;
  const stored = data.find(({ turn_id }) => turn_id === turn);
  if (!stored) throw new Error(strings.peek().page.notFound);
  return { session, stored };
}

/** Returns the view of a turn after an event of its session. */
function applied(view: TurnView, { event, data }: FeedEvent): TurnView {
  if (event === "resync") return (data as Resync).turns.data.find(({ turn_id }) => turn_id === view.turn_id) ?? view;
  const { turn_id, seq } = data as Partial<TurnEventData>;
  // Events without a number change no turn.
  return turn_id === view.turn_id && seq !== undefined ? foldTurn(view, event, data as TurnEventData) : view;
}
