import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../elements/Icon";
import type { StartedTurn } from "../net";
import type { Conversation } from "../state/conversation";
import { loadDraft, newKey, saveDraft } from "../state/drafts";
import { client } from "../state/server";
import { strings } from "../strings";

interface ComposerProps {
  /** The session that the message continues; a new one if there is none. */
  conversation: Conversation | undefined;
  started(turn: StartedTurn): void;
}

/** The field for the next message. Its text is kept until the server has the message. */
export function Composer({ conversation, started }: ComposerProps) {
  const words = strings.value.chat;
  const session = conversation?.id;
  const [draft, setDraft] = useState(() => loadDraft(session));
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const running = conversation?.running.value;
  const isStopping = running !== undefined && conversation?.stopping.value === running.turn_id;

  useLayoutEffect(() => grow(field.current), [draft.text]);
  useLayoutEffect(() => {
    // On a touch screen the keyboard would cover the page.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);

  const write = (text: string) => {
    // Another text is another message.
    setDraft({ text });
    saveDraft(session, { text });
  };
  const send = async () => {
    const message = draft.text.trim();
    if (message === "" || isSending) return;
    const key = draft.key ?? newKey();
    setDraft({ text: draft.text, key });
    saveDraft(session, { text: draft.text, key });
    setSending(true);
    setProblem("");
    try {
      const turn = await client.start({ message, key, ...(session && { session_id: session }) });
      setDraft({ text: "" });
      saveDraft(session, { text: "" });
      conversation?.noteStarted(turn.turn_id);
      started(turn);
    } catch (error) {
      setProblem(strings.peek().page.failed(error instanceof Error ? error.message : String(error)));
    } finally {
      setSending(false);
    }
  };
  const stop = () => {
    conversation?.stop().catch((error: unknown) => setProblem(strings.peek().page.failed(String(error))));
  };
  const press = (event: KeyboardEvent) => {
    // While a word is composed, Enter accepts it.
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
    if (event.key === "Escape" && running && !isStopping) stop();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {problem && (
        <p class="remark error" role="alert">
          {problem}
        </p>
      )}
      {conversation && <Queue conversation={conversation} />}
      <div class="composer-field">
        <textarea
          ref={field}
          id="message"
          rows={1}
          dir="auto"
          aria-label={words.message}
          placeholder={words.placeholder}
          value={draft.text}
          readOnly={isSending}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={press}
        />
        {running && (
          <button type="button" class="stop" disabled={isStopping} onClick={stop}>
            <Icon name="stop" />
            {isStopping ? words.stopping : words.stop}
          </button>
        )}
        <button class="primary" disabled={isSending || draft.text.trim() === ""} aria-label={words.send}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

/** The messages that wait, each of which can be withdrawn. */
function Queue({ conversation }: { conversation: Conversation }) {
  const words = strings.value.chat;
  if (conversation.queue.value.length === 0) return null;
  return (
    <ul class="queue">
      {conversation.queue.value.map((queued) => (
        <li key={queued.turn_id} title={queued.steering ? words.steering : words.queued}>
          <span dir="auto">{queued.input.map((part) => ("text" in part ? part.text : "")).join(" ")}</span>
          <button type="button" class="quiet" onClick={() => void client.cancel(queued.turn_id).catch(() => {})}>
            {words.withdraw}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Makes the field as high as its text; the style sheet has the limit. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}
