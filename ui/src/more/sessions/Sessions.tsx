import { useEffect, useRef, useState } from "preact/hooks";
import {
  addressOf,
  client,
  loadSessions,
  messageOf,
  removing,
  search,
  searchFor,
  type Session,
  SessionList,
  SessionRow,
  strings,
} from "../../shared";
import { words } from "../strings";
import { Actions } from "./Actions";
import { importSession } from "./transfer";

/** The pause after which what was typed is searched for. */
const TYPING_MS = 200;

/** All sessions, and what can be done with them. */
export function Sessions() {
  const text = words.value.sessions;
  const [problem, setProblem] = useState("");
  const [isArchive, setArchive] = useState(false);
  const [changes, setChanges] = useState(0);
  const failed = (error: unknown) => {
    setProblem(strings.peek().page.failed(messageOf(error)));
  };
  const changed = () => {
    setProblem("");
    setChanges(changes + 1);
    void loadSessions().catch(failed);
  };
  const actions = (session: Session) => <Actions session={session} changed={changed} failed={failed} />;
  return (
    <div class="screen">
      <h1>{isArchive ? text.archiveTitle : strings.value.sessions.title}</h1>
      <p class="buttons">
        <ImportButton failed={failed} />
        <button type="button" aria-pressed={isArchive} onClick={() => setArchive(!isArchive)}>
          {text.archiveTitle}
        </button>
      </p>
      {problem && (
        <p class="remark error" role="alert">
          {problem}
        </p>
      )}
      {isArchive ? <Archive key={changes} actions={actions} failed={failed} /> : <SessionList actions={actions} />}
    </div>
  );
}

function ImportButton({ failed }: { failed(error: unknown): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const take = (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    importSession(file)
      .then(({ id }) => {
        location.hash = addressOf(id);
      }, failed)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => input.current?.click()}>
        {words.value.sessions.import}
      </button>
      <input
        ref={input}
        type="file"
        accept=".jsonl,application/jsonl,application/x-ndjson"
        hidden
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

interface ArchiveProps {
  actions(session: Session): preact.ComponentChildren;
  failed(error: unknown): void;
}

/** The sessions that the user put away. */
function Archive({ actions, failed }: ArchiveProps) {
  const [found, setFound] = useState<Session[]>();
  const [next, setNext] = useState<string | null>(null);
  const asked = useRef(0);
  const query = search.value;
  const load = async (cursor?: string) => {
    asked.current += 1;
    const mine = asked.current;
    const page = await client.sessions({ archived: true, query, ...(cursor && { cursor }) });
    // The user may have typed on meanwhile.
    if (mine !== asked.current) return;
    setFound((known) => [...(cursor ? (known ?? []) : []), ...page.data]);
    setNext(page.next);
  };
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(failed), query ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [query]);
  const { more, noneFound, search: label } = strings.value.sessions;
  const shown = found?.filter(({ id }) => !removing.value.includes(id));
  return (
    <div class="session-list">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        dir="auto"
        value={query}
        onInput={({ currentTarget }) => searchFor(currentTarget.value)}
      />
      {shown?.length === 0 && <p class="remark">{query ? noneFound : words.value.sessions.archiveEmpty}</p>}
      <ul>
        {shown?.map((session) => (
          <SessionRow key={session.id} session={session} chosen={undefined} actions={actions} />
        ))}
      </ul>
      {next !== null && (
        <button type="button" class="quiet" onClick={() => void load(next).catch(failed)}>
          {more}
        </button>
      )}
    </div>
  );
}
