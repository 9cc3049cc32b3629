import { useLayoutEffect, useRef } from "preact/hooks";
import { sendKey, strings, type TurnView } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { grow } from "../composer/grow";
import { MoreIcon } from "../MoreIcon";
import { words } from "../strings";
import { beginEdit, canEdit, type Edit, edits, restoreEdit } from "./edits";

interface EditProps {
  conversation: Conversation;
  view: TurnView;
}

/** The button that edits the message of a turn, or the field in place of its text. */
export function EditMessage({ conversation, view }: EditProps) {
  const button = useRef<HTMLButtonElement>(null);
  const edit = edits.value.get(view.turn_id);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !edit && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = edit !== undefined;
  }, [edit]);
  useLayoutEffect(() => restoreEdit(conversation.id, view), [conversation, view.turn_id]);
  if (edit) return <EditField conversation={conversation} edit={edit} />;
  if (!canEdit(view)) return null;
  return (
    <button
      ref={button}
      type="button"
      class="icon-button edit-turn"
      aria-label={words.value.turns.edit}
      title={words.value.turns.edit}
      onClick={() => beginEdit(conversation.id, view)}
    >
      <MoreIcon name="rename" />
    </button>
  );
}

function EditField({ conversation, edit }: { conversation: Conversation; edit: Edit }) {
  const { turns } = words.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const text = edit.text.value;
  const state = edit.state.value;
  useLayoutEffect(() => {
    if (edit.isNew) field.current?.focus();
    edit.isNew = false;
  }, [edit]);
  useLayoutEffect(() => grow(field.current), [text]);
  const send = async () => {
    if (await edit.send(conversation)) document.getElementById("message")?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isControlled = event.ctrlKey || event.metaKey;
    if (event.key === "Escape" && !edit.isSending.peek()) edit.close();
    else if (event.key === "Enter" && (sendKey.value === "enter" ? !event.shiftKey : isControlled)) void send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="note"
      aria-label={turns.editing}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={turns.text}
        value={text}
        placeholder={state === "loading" ? strings.value.page.loading : undefined}
        aria-busy={state === "loading"}
        readOnly={edit.isSending.value || state !== "ready"}
        onInput={(event) => edit.write(event.currentTarget.value)}
        onKeyDown={press}
      />
      {edit.problem.value && (
        <p class="remark error" role="alert">
          {edit.problem.value}
        </p>
      )}
      <span class="buttons">
        {state === "failed" ? (
          <button type="button" onClick={() => void edit.load()}>
            {words.value.files.retry}
          </button>
        ) : (
          <button class="primary" disabled={edit.isSending.value || text.trim() === ""}>
            {turns.send}
          </button>
        )}
        <button type="button" disabled={edit.isSending.value} onClick={() => edit.close()}>
          {strings.value.page.cancel}
        </button>
      </span>
    </form>
  );
}
