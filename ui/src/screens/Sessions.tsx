import { useState } from "preact/hooks";
import { Dialog } from "../elements/Dialog";
import { Icon } from "../elements/Icon";
import type { Session } from "../net";
import { removeSession, renameSession } from "../state/sessions";
import { strings } from "../strings";
import { SessionList } from "./SessionList";

/** All sessions, which can be renamed and deleted here. */
export function Sessions() {
  const words = strings.value.sessions;
  const [renamed, setRenamed] = useState<Session>();
  const [deleted, setDeleted] = useState<Session>();
  const actions = (session: Session) => {
    const title = session.title || words.untitled;
    return (
      <span class="actions">
        <button type="button" class="icon-button" aria-label={`${words.rename}: ${title}`} onClick={() => setRenamed(session)}>
          <Icon name="rename" />
        </button>
        <button type="button" class="icon-button" aria-label={`${words.delete}: ${title}`} onClick={() => setDeleted(session)}>
          <Icon name="delete" />
        </button>
      </span>
    );
  };
  return (
    <div class="screen">
      <h1>{words.title}</h1>
      <SessionList actions={actions} />
      {renamed && <Rename session={renamed} close={() => setRenamed(undefined)} />}
      {deleted && <Delete session={deleted} close={() => setDeleted(undefined)} />}
    </div>
  );
}

interface ChangeProps {
  session: Session;
  close(): void;
}

function Rename({ session, close }: ChangeProps) {
  const words = strings.value.sessions;
  const [title, setTitle] = useState(session.title);
  const [problem, setProblem] = useState("");
  const save = (event: Event) => {
    event.preventDefault();
    renameSession(session, title.trim()).then(close, (error: unknown) => setProblem(String(error)));
  };
  return (
    <Dialog title={words.renameTitle} close={close}>
      <form onSubmit={save}>
        <label class="note">
          {words.name}
          <input type="text" dir="auto" value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        {problem && <p class="remark error">{problem}</p>}
        <p class="buttons">
          <button class="primary" disabled={title.trim() === ""}>
            {words.save}
          </button>
          <button type="button" onClick={close}>
            {strings.value.page.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function Delete({ session, close }: ChangeProps) {
  const words = strings.value.sessions;
  const [problem, setProblem] = useState("");
  const remove = () => {
    removeSession(session).then(close, (error: unknown) => setProblem(String(error)));
  };
  return (
    <Dialog title={words.deleteTitle(session.title || words.untitled)} close={close}>
      <p>{words.deleteText}</p>
      {problem && <p class="remark error">{problem}</p>}
      <p class="buttons">
        <button type="button" class="danger" onClick={remove}>
          {words.delete}
        </button>
        <button type="button" onClick={close}>
          {strings.value.page.cancel}
        </button>
      </p>
    </Dialog>
  );
}
