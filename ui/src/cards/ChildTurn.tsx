import { useEffect, useState } from "preact/hooks";
import { framesOf } from "../net/sse";
import {
  type ChildTurnId,
  client,
  type Conversation,
  emptyTurn,
  foldTurn,
  messageOf,
  type PagedTurn,
  strings,
  type TurnEventData,
  TurnPieces,
  type TurnView,
} from "../shared";
import { reveal } from "./reveal";
import { words } from "./strings";

interface ChildTurnProps {
  conversation: Conversation;
  child: ChildTurnId;
}

/** The turn of a sub-agent, which is loaded when it is opened. */
export function ChildTurn({ conversation, child }: ChildTurnProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="child-turn" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.value.tool.child(reveal(child.agent))}</summary>
      {isOpen && (
        <div class="child-turn-content">
          <Loaded conversation={conversation} turn={child.turn_id} />
        </div>
      )}
    </details>
  );
}

function Loaded({ conversation, turn }: { conversation: Conversation; turn: string }) {
  const [view, setView] = useState<TurnView>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const stopped = new AbortController();
    follow(turn, setView, stopped.signal).catch((error: unknown) => {
      if (!stopped.signal.aborted) setProblem(messageOf(error));
    });
    return () => stopped.abort();
  }, [turn]);
  if (problem) {
    return (
      <p class="remark error" role="alert">
        {words.value.tool.childFailed(problem)}
      </p>
    );
  }
  if (!view) return <p class="remark">{strings.value.page.loading}</p>;
  // The message of the turn is among the arguments of the call.
  return <TurnPieces conversation={conversation} view={view} />;
}

/** Calls `show` with the turn, and again whenever it changes, until it has ended. */
async function follow(turn: string, show: (view: TurnView) => void, signal: AbortSignal): Promise<void> {
  const get = (path: string) => client.send("GET", `api/v1/${path}`, undefined, signal);
  const { session_id, number } = (await (await get(`turns/${turn}`)).json()) as { session_id: string; number: number };
  while (!signal.aborted) {
    const page = await get(`sessions/${session_id}/turns?around=${number}&limit=1`);
    const { data } = (await page.json()) as { data: PagedTurn[] };
    const stored = data.find((other) => other.turn_id === turn);
    if (!stored) throw new Error(strings.peek().page.notFound);
    show(stored);
    if (stored.status) return;
    let view = emptyTurn(turn, number);
    for await (const frames of framesOf(await get(`turns/${turn}/events`))) {
      const before = view;
      for (const { event, data } of frames) view = applied(view, event, JSON.parse(data) as TurnEventData);
      if (view !== before && view.seq >= stored.seq) show(view);
    }
    if (view.status) return;
  }
}

/** Returns the view after an event. Those without a number are not of the turn's log. */
function applied(view: TurnView, event: string, data: TurnEventData): TurnView {
  return data.seq === undefined ? view : foldTurn(view, event, data);
}
