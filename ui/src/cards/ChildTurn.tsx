import { useEffect, useState } from "preact/hooks";
import {
  type ChildTurnId,
  connection,
  type Conversation,
  messageOf,
  strings,
  TurnPieces,
  type TurnView,
} from "../shared";
import { followChild } from "./followChild";
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
  const [problem, setProblem] = useState<unknown>();
  // What failed while the server was away is tried again when it is back.
  const isAway = problem !== undefined && connection.value !== "open";
  useEffect(() => {
    if (isAway) return;
    const stopped = new AbortController();
    setProblem(undefined);
    followChild(turn, setView, stopped.signal).catch((error: unknown) => {
      if (!stopped.signal.aborted) setProblem(error);
    });
    return () => stopped.abort();
  }, [turn, isAway]);
  if (problem !== undefined) {
    return (
      <p class="remark error" role="alert">
        {words.value.tool.childFailed(messageOf(problem) || strings.value.page.notFound)}
      </p>
    );
  }
  if (!view) return <p class="remark">{strings.value.page.loading}</p>;
  // The message of the turn is among the arguments of the call.
  return <TurnPieces conversation={conversation} view={view} />;
}
