// Sessions as files.

import { client, loadSessions, type Session } from "../../shared";
import { safeName } from "../files/name";
import { words } from "../strings";

/** The time after which a browser has begun to save a file. */
const SAVED_MS = 60_000;

/** Saves a session as a file of the user's. */
export async function exportSession(session: Session, format: "md" | "jsonl"): Promise<void> {
  const content = await client.exportSession(session.id, format);
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${safeName((session.title || words.peek().sessions.file).replaceAll(/[/\\:*?"<>|]/g, " "))}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}

/** Creates a session from a file, and returns it. */
export async function importSession(file: File): Promise<Session> {
  const session = await client.importSession(file);
  await loadSessions();
  return session;
}
