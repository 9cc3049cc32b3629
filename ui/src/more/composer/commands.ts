import { client, openDialog } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { exportSession } from "../sessions/transfer";
import { words } from "../strings";

/** What a user may ask of the page by writing `/` and a name. */
export interface Command {
  name: string;
  description: string;
  run(): void | Promise<unknown>;
}

/** Returns the commands whose names begin with what is written, as far as they make sense in the session. */
export function commandsFor(written: string, conversation: Conversation | undefined): Command[] {
  const { descriptions } = words.value.commands;
  const session = conversation?.session.value;
  const everywhere: Command[] = [
    { name: "new", description: descriptions.new, run: () => void (location.hash = "#/") },
    { name: "help", description: descriptions.help, run: () => openDialog({ kind: "shortcuts" }) },
  ];
  const inSession: Command[] = session && conversation
    ? [
        { name: "compact", description: descriptions.compact, run: () => client.compact(session.id) },
        { name: "context", description: descriptions.context, run: () => openDialog({ kind: "context", conversation }) },
        { name: "export", description: descriptions.export, run: () => exportSession(session, "md") },
        { name: "rename", description: descriptions.rename, run: () => openDialog({ kind: "rename", session }) },
      ]
    : [];
  return [...everywhere, ...inSession]
    .filter(({ name }) => name.startsWith(written))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
