import { type Session, waiting } from "../shared";
import { MoreIcon } from "./MoreIcon";
import { running } from "./running";
import { isUnread } from "./seen";
import { words } from "./strings";

/** What goes on in a session of a list. */
export function SessionState({ session, isCurrent }: { session: Session; isCurrent: boolean }) {
  const { pinned, unread, running: runs } = words.value.sessions;
  return (
    <>
      {running.value.has(session.id) && !waiting.value.has(session.id) && <span class="badge running">{runs}</span>}
      {!isCurrent && isUnread(session) && <span class="dot" role="img" aria-label={unread} title={unread} />}
      {session.pinned && (
        <span class="pin" role="img" aria-label={pinned} title={pinned}>
          <MoreIcon name="pin" />
        </span>
      )}
    </>
  );
}
