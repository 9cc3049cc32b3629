import { client, noteSession, type Session, type SessionChange } from "../../shared";

/** Changes a session, and shows the change. */
export async function changeSession(session: Session, change: SessionChange): Promise<void> {
  noteSession(await client.change(session.id, change));
}
