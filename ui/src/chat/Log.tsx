import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../elements/Icon";
import type { Conversation } from "../state/conversation";
import { more } from "../state/later";
import { strings } from "../strings";
import { Approvals } from "./Later";
import { Turn } from "./Turn";
import type { TurnSearch } from "./TurnSearch";
import { Viewport } from "./viewport";

interface LogProps {
  conversation: Conversation;
  /** A turn to begin at, in place of the end. */
  at: string | undefined;
}

/**
 * The turns of a session. The view stays at the end, unless the user looks at something above it. Only the turns around
 * the view are mounted.
 */
export function Log({ conversation, at }: LogProps) {
  const { history } = conversation;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [viewport] = useState(() => new Viewport(history, at));
  // The search is loaded when it is first needed.
  const [Search, setSearch] = useState<{ part: typeof TurnSearch }>();
  const Position = more.value?.Position;
  const words = strings.value;
  const { turns, before, after } = viewport.mounted();

  useLayoutEffect(() => {
    if (scroller.current && content.current) return viewport.attach(scroller.current, content.current);
  }, [viewport]);
  useLayoutEffect(() => viewport.committed());
  useEffect(() => {
    if (at && at !== viewport.marked.peek()) void viewport.jumpTo(at).catch(() => {});
  }, [viewport, at]);
  const sent = conversation.sent.value;
  useEffect(() => {
    if (sent > 0) void viewport.toNewest().catch(() => {});
  }, [viewport, sent]);
  const search = () => {
    const field = document.querySelector<HTMLElement>(".turn-search input");
    if (field) return field.focus();
    void import("./TurnSearch").then((part) => setSearch({ part: part.TurnSearch })).catch(() => {});
  };
  useEffect(() => {
    conversation.search = search;
    return () => {
      conversation.search = () => {};
    };
  }, [conversation]);
  useKeys(viewport, conversation);
  return (
    <>
      {Position && <Position history={history} viewport={viewport} search={search} />}
      {Search && (
        <Search.part
          session={conversation.id}
          jump={(turn) => viewport.jumpTo(turn)}
          close={() => setSearch(undefined)}
        />
      )}
      <div class="log-frame">
        {/* Readers are told by the status what happens: they would repeat a growing text with every word. */}
        <div
          ref={scroller}
          class="log"
          role="log"
          aria-label={words.chat.conversation}
          aria-live="off"
          aria-busy={conversation.isRunning.value}
          tabIndex={0}
          onScroll={() => viewport.scrolled()}
        >
          <div ref={content} class="log-content">
            {history.hasEarlier.value && <p class="remark">{words.page.loading}</p>}
            {before > 0 && <div class="turns-above" />}
            {turns.map((id) => (
              <Turn key={id} conversation={conversation} viewport={viewport} turn={conversation.turn(id)} />
            ))}
            {after > 0 && <div class="turns-below" />}
            {history.isLive.value && (
              <Approvals
                pending={conversation.pending.value}
                decided={(interaction) => conversation.noteDecided(interaction.id)}
              />
            )}
          </div>
        </div>
        {!viewport.isAtEnd.value && (
          <button
            type="button"
            class="latest"
            aria-label={words.chat.latest}
            onClick={() => void viewport.toNewest().catch(() => {})}
          >
            <Icon name="down" />
          </button>
        )}
      </div>
    </>
  );
}

/** Moves between turns with `j` and `k`, unless the user types, and opens the search. */
function useKeys(viewport: Viewport, conversation: Conversation): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const control = event.ctrlKey || event.metaKey;
      if (control && event.shiftKey && event.key.toLowerCase() === "f") {
        event.preventDefault();
        return conversation.search();
      }
      const isTyping = (event.target as Element).closest("input, textarea, select, [contenteditable], dialog");
      if (control || event.altKey || event.shiftKey || isTyping) return;
      if (event.key !== "j" && event.key !== "k") return;
      event.preventDefault();
      void viewport.step(event.key === "j" ? 1 : -1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [viewport]);
}
