import type { Session } from "../net";
import { addressOf, route } from "../state/route";
import { loadMore, next, search, searchFor, sessions, waiting } from "../state/sessions";
import { formatTime, strings } from "../strings";

interface SessionListProps {
  /** Called when the user chooses a session. */
  chosen?: () => void;
  /** Shown beside each session. */
  actions?: (session: Session) => preact.ComponentChildren;
}

/** The sessions of the user, with a search. */
export function SessionList({ chosen, actions }: SessionListProps) {
  const words = strings.value.sessions;
  const current = route.value.screen === "chat" ? route.value.session : undefined;
  return (
    <div class="session-list">
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        dir="auto"
        value={search.value}
        onInput={(event) => searchFor(event.currentTarget.value)}
      />
      {sessions.value.length === 0 && <p class="remark">{search.value ? words.noneFound : words.none}</p>}
      <ul>
        {sessions.value.map((session) => (
          <li key={session.id}>
            <a
              href={session.match ? `${addressOf(session.id)}/t/${session.match.turn_id}` : addressOf(session.id)}
              aria-current={session.id === current ? "page" : undefined}
              onClick={chosen}
            >
              <span class="session-title" dir="auto">
                {session.title || words.untitled}
              </span>
              <span class="session-detail" dir="auto">
                {session.match?.excerpt ?? formatTime(session.last_active)}
              </span>
              {waiting.value.has(session.id) && <span class="badge">{strings.value.needs.title}</span>}
            </a>
            {actions?.(session)}
          </li>
        ))}
      </ul>
      {next.value !== null && (
        <button type="button" class="quiet" onClick={() => void loadMore().catch(() => {})}>
          {words.more}
        </button>
      )}
    </div>
  );
}
