import { effect } from "@preact/signals";
import { saveUnsent, unsentDecisions } from "../later/unsent";
import { access, ApiError, client, type Interaction, needs } from "../shared";

/** Removes from now on what was written for decisions that were made elsewhere, or are not needed any more. */
export function watchDecisions(): void {
  effect(() => {
    if (access.value !== "open") return;
    const open = new Set(needs.value.map(({ id }) => id));
    for (const { session, id } of unsentDecisions()) {
      if (!open.has(id)) void forgetDecided(session, id).catch(() => {});
    }
  });
}

/** Asks the server, because the list of open interactions may be older than the text. */
async function forgetDecided(session: string, id: string): Promise<void> {
  if (await isOpen(id)) return;
  saveUnsent("decision", session, id, {});
}

async function isOpen(interaction: string): Promise<boolean> {
  try {
    const response = await client.send("GET", `api/v1/interactions/${interaction}`);
    return !((await response.json()) as Interaction).decided;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
