import { client, type Decision } from "../../shared";

/**
 * Sends a decision. Changed arguments are sent as they were written, because reading them and writing them again would
 * change long numbers.
 */
export async function resolve(interaction: string, decision: Decision, changed: string | undefined): Promise<void> {
  if (changed === undefined) {
    await client.resolve(interaction, decision);
    return;
  }
  const body = `${JSON.stringify(decision).slice(0, -1)},"arguments":${changed}}`;
  await client.send("POST", `api/v1/interactions/${interaction}`, new Blob([body], { type: "application/json" }));
}
