import { Icon, openDialog, type Session, strings } from "../../shared";
import { Menu, type MenuItem } from "../Menu";
import { words } from "../strings";
import { changeSession } from "./change";
import { removeSession } from "./removal";
import { exportSession } from "./transfer";

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
  const change = (change: { pinned?: boolean; archived?: boolean }) => {
    changeSession(session, change).then(changed, failed);
  };
  const save = (format: "md" | "jsonl") => void exportSession(session, format).catch(failed);
  const { pinned, archived } = session;
  const items: MenuItem[] = [
    // A server without these fields cannot do it.
    ...(pinned === undefined
      ? []
      : [{ name: pinned ? sessions.unpin : sessions.pin, run: () => change({ pinned: !pinned }) }]),
    ...(archived === undefined
      ? []
      : [{ name: archived ? sessions.unarchive : sessions.archive, run: () => change({ archived: !archived }) }]),
    { name: sessions.exportMarkdown, run: () => save("md") },
    { name: sessions.exportLines, run: () => save("jsonl") },
  ];
  return (
    <span class="actions">
      <button
        type="button"
        class="icon-button"
        aria-label={`${sessions.rename}: ${title}`}
        onClick={() => openDialog({ kind: "rename", session })}
      >
        <Icon name="rename" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`${sessions.delete}: ${title}`}
        onClick={() => removeSession(session)}
      >
        <Icon name="delete" />
      </button>
      <Menu label={`${sessions.more}: ${title}`} items={items} />
    </span>
  );
}
