import { Highlighted } from "../elements/Highlighted";
import type { Session } from "../net";
import { more } from "../state/later";
import { addressOf, route } from "../state/route";
import { listed, loadMore, next, search, searchFor, waiting } from "../state/sessions";
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
  const sessions = listed.value;
  // What was found is one group.
  const groups = (!search.value && more.value?.groupsOf(sessions)) || [{ name: "", members: sessions }];
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
      {sessions.length === 0 && <p class="remark">{search.value ? words.noneFound : words.none}</p>}
      <div class="session-groups">
        {groups.map(({ name, members }, index) => (
          <SessionGroup key={name} name={name} id={`${actions ? "all" : chosen ? "found" : "rail"}-${index}`}>
            {members.map((session) => (
              <SessionRow key={session.id} session={session} chosen={chosen} actions={actions} />
            ))}
          </SessionGroup>
        ))}
      </div>
      {next.value !== null && (
        <button type="button" class="quiet" onClick={() => void loadMore().catch(() => {})}>
          {words.more}
        </button>
      )}
    </div>
  );
}

function SessionGroup({ name, id, children }: { name: string; id: string; children: preact.ComponentChildren }) {
  if (name === "") return <ul>{children}</ul>;
  return (
    <>
      <p class="session-group" id={id}>
        {name}
      </p>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  );
}

interface SessionRowProps {
  session: Session;
  chosen: SessionListProps["chosen"] | undefined;
  actions: SessionListProps["actions"] | undefined;
}

export function SessionRow({ session, chosen, actions }: SessionRowProps) {
  const words = strings.value.sessions;
  const State = more.value?.SessionState;
  const isCurrent = route.value.screen === "chat" && route.value.session === session.id;
  return (
    <li>
      <a
        href={session.match ? `${addressOf(session.id)}/t/${session.match.turn_id}` : addressOf(session.id)}
        aria-current={isCurrent ? "page" : undefined}
        onClick={chosen}
      >
        <span class="session-title" dir="auto">
          {session.title || words.untitled}
        </span>
        <span class="session-detail" dir="auto">
          {session.match ? (
            <Highlighted text={session.match.excerpt} words={search.value} />
          ) : (
            formatTime(session.last_active)
          )}
        </span>
        {waiting.value.has(session.id) && <span class="badge">{strings.value.needs.title}</span>}
        {State && <State session={session} isCurrent={isCurrent} />}
      </a>
      {actions?.(session)}
    </li>
  );
}
