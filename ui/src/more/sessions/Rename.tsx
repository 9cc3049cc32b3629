import { useState } from "preact/hooks";
import { Dialog, messageOf, type Session, strings } from "../../shared";
import { words } from "../strings";
import { changeSession } from "./change";

export function Rename({ session, close }: { session: Session; close(): void }) {
  const { sessions } = words.value;
  const [title, setTitle] = useState(session.title);
  const [problem, setProblem] = useState("");
  const save = (event: Event) => {
    event.preventDefault();
    changeSession(session, { title: title.trim() }).then(close, (error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <Dialog title={sessions.renameTitle} close={close}>
      <form onSubmit={save}>
        <label class="note">
          {sessions.name}
          <input type="text" dir="auto" value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        {problem && (
          <p class="remark error" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button class="primary" disabled={title.trim() === ""}>
            {sessions.save}
          </button>
          <button type="button" onClick={close}>
            {strings.value.page.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
