import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../elements/Icon";
import type { Conversation } from "../state/conversation";
import { strings } from "../strings";
import { Approval } from "./Approval";
import { Turn } from "./Turn";

/** A view that is so close to the end follows it, in pixels. */
const NEAR = 48;

interface LogProps {
  conversation: Conversation;
  /** A turn to begin at, in place of the end. */
  at: string | undefined;
}

/** The turns of a session. The view stays at the end, unless the user looks at something above it. */
export function Log({ conversation, at }: LogProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const words = strings.value.chat;
  const isLoaded = conversation.isLoaded.value;

  const toEnd = () => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  useEffect(() => {
    if (!content.current || !scroller.current) return;
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });
    observer.observe(content.current);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!isLoaded || !at) return;
    const turn = document.getElementById(`t-${at}`);
    if (!turn) return;
    follows.current = false;
    turn.scrollIntoView({ block: "start" });
  }, [isLoaded, at]);

  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    follows.current = isNear;
    setAtEnd(isNear);
  };
  const showEarlier = async () => {
    const element = scroller.current;
    if (!element) return;
    const below = element.scrollHeight - element.scrollTop;
    await conversation.loadEarlier().catch(() => {});
    // What the user looks at stays where it is.
    requestAnimationFrame(() => {
      element.scrollTop = element.scrollHeight - below;
    });
  };
  return (
    <div class="log-frame">
      {/* Readers are told by the status what happens: they would repeat a growing text with every word. */}
      <div
        ref={scroller}
        class="log"
        role="log"
        aria-label={words.conversation}
        aria-live="off"
        aria-busy={conversation.running.value !== undefined}
        tabIndex={0}
        onScroll={scrolled}
      >
        <div ref={content} class="log-content">
          {conversation.before.value !== null && (
            <button type="button" class="quiet" onClick={() => void showEarlier()}>
              {words.earlier}
            </button>
          )}
          {conversation.order.value.map((id) => (
            <Turn key={id} conversation={conversation} turn={conversation.turn(id)} />
          ))}
          {conversation.pending.value.map((interaction) => (
            <Approval
              key={interaction.id}
              interaction={interaction}
              decided={() => conversation.noteDecided(interaction.id)}
            />
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <button
          type="button"
          class="latest"
          aria-label={words.latest}
          onClick={() => {
            follows.current = true;
            toEnd();
          }}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
