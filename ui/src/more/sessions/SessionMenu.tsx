import { openDialog, type SessionChange, strings } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { Menu } from "../Menu";
import { words } from "../strings";
import { changeSession } from "./change";
import { menuItems } from "./menuItems";
import { archiveSession, removeSession, reportFailure } from "./removal";

/** What can be done with the session on the screen. */
export function SessionMenu({ conversation }: { conversation: Conversation }) {
  const { context, sessions } = words.value;
  const session = conversation.session.value;
  if (!session) return null;
  const change = (change: SessionChange) => {
    if (change.archived) archiveSession(session);
    else changeSession(session, change).catch(reportFailure);
  };
  const items = [
    { name: strings.value.log.search, run: () => conversation.search() },
    { name: sessions.rename, run: () => openDialog({ kind: "rename", session }) },
    ...menuItems(session, change, reportFailure),
    { name: context.open, run: () => openDialog({ kind: "context", conversation }) },
    { name: sessions.delete, run: () => removeSession(session) },
  ];
  return <Menu label={sessions.actions} items={items} />;
}
