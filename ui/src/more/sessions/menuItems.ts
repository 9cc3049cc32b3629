import type { Session, SessionChange } from "../../shared";
import type { MenuItem } from "../Menu";
import { words } from "../strings";
import { exportSession } from "./transfer";

/** Returns what the menu of a session offers. `failed` is called with the reason of what could not be saved. */
export function menuItems(
  session: Session,
  change: (change: SessionChange) => void,
  failed: (error: unknown) => void,
): MenuItem[] {
  const { sessions } = words.value;
  const { pinned, archived } = session;
  const save = (format: "md" | "jsonl") => void exportSession(session, format).catch(failed);
  return [
    { name: pinned ? sessions.unpin : sessions.pin, run: () => change({ pinned: !pinned }) },
    { name: archived ? sessions.unarchive : sessions.archive, run: () => change({ archived: !archived }) },
    { name: sessions.exportMarkdown, run: () => save("md") },
    { name: sessions.exportLines, run: () => save("jsonl") },
  ];
}
