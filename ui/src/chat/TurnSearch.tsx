import { useEffect, useRef, useState } from "preact/hooks";
import { client, formatNumber, Highlighted, Icon, type List, messageOf, strings, type TurnMatch } from "../shared";

/** The pause after which what was typed is searched for. */
const TYPING_MS = 200;

interface TurnSearchProps {
  session: string;
  /** Shows a turn. */
  jump(turn: string): Promise<void>;
  close(): void;
}

interface Found extends List<TurnMatch> {
  words: string;
}

/** Searches the session, also the turns that are not held. */
export function TurnSearch({ session, jump, close }: TurnSearchProps) {
  const { log, page, sessions } = strings.value;
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);

  const fail = (error: unknown) => setProblem(page.failed(messageOf(error)));
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    setProblem("");
    if (words.trim() === "") return setFound(undefined);
    let isCurrent = true;
    const timer = setTimeout(() => {
      client.searchTurns(session, words).then(
        (matches) => isCurrent && setFound({ ...matches, words }),
        (error: unknown) => isCurrent && fail(error),
      );
    }, TYPING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [session, words]);
  const showMore = async () => {
    if (!found?.next) return;
    const more = await client.searchTurns(session, found.words, found.next);
    setFound({ ...found, data: [...found.data, ...more.data], next: more.next });
  };
  const leave = () => {
    close();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const show = (match: TurnMatch) => void jump(match.turn_id).catch(fail);
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      return leave();
    }
    const first = found?.data[0];
    if (event.key === "Enter" && event.target === field.current) {
      event.preventDefault();
      if (first) show(first);
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const next = buttons.indexOf(document.activeElement as HTMLButtonElement) + (event.key === "ArrowDown" ? 1 : -1);
    (buttons[next] ?? (next < 0 ? field.current : buttons.at(-1)))?.focus();
  };
  return (
    <search class="turn-search" onKeyDown={press}>
      <div class="turn-search-field">
        <input
          ref={field}
          type="search"
          aria-label={log.search}
          placeholder={log.search}
          dir="auto"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="button" class="icon-button" aria-label={page.close} onClick={leave}>
          <Icon name="close" />
        </button>
      </div>
      <p class="remark" role="status">
        {problem || (found?.data.length === 0 && sessions.noneFound)}
      </p>
      {found && found.data.length > 0 && (
        <ul ref={list} aria-label={log.found}>
          {found.data.map((match) => (
            <li key={match.turn_id}>
              <button type="button" onClick={() => show(match)}>
                <span class="remark">{log.turn(formatNumber(match.number))}</span>
                <span dir="auto">
                  <Highlighted text={match.excerpt} words={found.words} />
                </span>
              </button>
            </li>
          ))}
          {found.next !== null && (
            <li>
              <button type="button" class="quiet" onClick={() => void showMore().catch(fail)}>
                {sessions.more}
              </button>
            </li>
          )}
        </ul>
      )}
    </search>
  );
}
