import { openDialog, type Session, type SessionChange, strings } from "../../shared";
import { Menu } from "../Menu";
import { MoreIcon } from "../MoreIcon";
import { words } from "../strings";
import { changeSession } from "./change";
import { menuItems } from "./menuItems";
import { removeSession } from "./removal";

interface ActionsProps {
  session: Session;
  /** Called after a change, and with the reason of one that failed. */
  changed(): void;
  failed(error: unknown): void;
}

/** What can be done with a session of a list. */
export function Actions({ session, changed, failed }: ActionsProps) {
  const { sessions } = words.value;
  const title = session.title || strings.value.sessions.untitled;
  const change = (change: SessionChange) => void changeSession(session, change).then(changed, failed);
  return (
    <span class="actions">
      <button
        type="button"
        class="icon-button"
        aria-label={`${sessions.rename}: ${title}`}
        onClick={() => openDialog({ kind: "rename", session })}
      >
        <MoreIcon name="rename" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`${sessions.delete}: ${title}`}
        onClick={() => removeSession(session)}
      >
        <MoreIcon name="delete" />
      </button>
      <Menu label={`${sessions.more}: ${title}`} items={menuItems(session, change, failed)} />
    </span>
  );
}
