import { useState } from "preact/hooks";
import { client, me, messageOf, strings } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { words } from "../strings";
import { Notices } from "../turns/Notices";

interface CompactionProps {
  conversation: Conversation;
  /** The turn that summarises, once there is one. */
  turn: string;
  started(turn: string): void;
}

/** Has earlier messages summarised, if the caller may start turns, and says what came of it. */
export function Compaction({ conversation, turn, started }: CompactionProps) {
  const { context } = words.value;
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState("");
  const view = turn ? conversation.turn(turn).value : undefined;
  const isBusy = isAsking || (view && !view.status);
  // Where that is unknown, the server decides.
  if (me.value && !me.value.scopes.includes("chat")) return null;
  const compact = () => {
    setAsking(true);
    setProblem("");
    client
      .compact(conversation.id)
      .then(({ turn_id }) => started(turn_id))
      .catch((error: unknown) => setProblem(strings.peek().page.failed(messageOf(error))))
      .finally(() => setAsking(false));
  };
  return (
    <div class="context-compaction">
      {/* A button that is disabled would lose the focus. */}
      <button type="button" aria-disabled={isBusy} onClick={() => isBusy || compact()}>
        {context.compact}
      </button>
      <div role="status">
        {isBusy && <p class="remark">{context.compacting}</p>}
        {view?.status && <Notices remarks={view.remarks} />}
      </div>
      {problem && (
        <p class="remark error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
