import { signal } from "@preact/signals";

/** What the page shows. The address is in the hash, so that a proxy may offer the page under any path. */
export type Route =
  | { screen: "new" }
  | { screen: "chat"; session: string; turn?: string }
  | { screen: "sessions" | "needs" | "settings" };

export const route = signal<Route>(read(location.hash));

addEventListener("hashchange", () => {
  route.value = read(location.hash);
});

export function read(hash: string): Route {
  const [first, session, second, turn] = hash.replace(/^#?\/?/, "").split("/").map(decode);
  if (first === "s" && session) return { screen: "chat", session, ...(second === "t" && turn && { turn }) };
  if (first === "sessions" || first === "needs" || first === "settings") return { screen: first };
  return { screen: "new" };
}

export function addressOf(session: string): string {
  return `#/s/${encodeURIComponent(session)}`;
}

/** Shows another session in place of the present address, without a step in the browser's history. */
export function replaceWith(session: string): void {
  history.replaceState(null, "", addressOf(session));
  route.value = read(location.hash);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
