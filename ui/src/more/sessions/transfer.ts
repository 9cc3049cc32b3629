// Sessions as files.

import { download } from "../../later/download";
import { client, loadSessions, type Session } from "../../shared";
import { safeName } from "../files/name";
import { words } from "../strings";

/** Saves a session as a file of the user's. */
export async function exportSession(session: Session, format: "md" | "jsonl"): Promise<void> {
  const content = await client.exportSession(session.id, format);
  const title = (session.title || words.peek().sessions.file).replaceAll(/[/\\:*?"<>|]/g, " ");
  download(`${safeName(title)}.${format}`, content);
}

/** Creates a session from a file, and returns it. */
export async function importSession(file: File): Promise<Session> {
  const session = await client.importSession(file);
  await loadSessions();
  return session;
}
