import { Icon, type Session, strings } from "../shared";
import { running } from "./running";
import { isUnread } from "./seen";
import { words } from "./strings";

/** What goes on in a session of a list. */
export function SessionState({ session, isCurrent }: { session: Session; isCurrent: boolean }) {
  const { pinned, unread } = words.value.sessions;
  return (
    <>
      {running.value.has(session.id) && <span class="badge running">{strings.value.sessions.running}</span>}
      {!isCurrent && isUnread(session) && <span class="dot" role="img" aria-label={unread} title={unread} />}
      {session.pinned && (
        <span class="pin" role="img" aria-label={pinned} title={pinned}>
          <Icon name="pin" />
        </span>
      )}
    </>
  );
}
