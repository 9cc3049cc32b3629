import { signal } from "@preact/signals";

/** The screens of operators, which are loaded when they are first needed. */
export const OPERATOR_SCREENS = ["turns", "usage", "providers", "tools", "keys", "recordings"] as const;

export type OperatorScreen = (typeof OPERATOR_SCREENS)[number];

/** A screen of operators, with what follows its name in the address: an id, and a query such as `state=failed`. */
export interface OperatorRoute {
  screen: OperatorScreen;
  id: string;
  query: string;
}

/** What the page shows. The address is in the hash, so that a proxy may offer the page under any path. */
export type Route =
  | { screen: "new" }
  | { screen: "chat"; session: string; turn?: string }
  | { screen: "sessions" | "needs" | "settings" }
  | OperatorRoute;

export const route = signal<Route>(read(location.hash));

addEventListener("hashchange", () => {
  route.value = read(location.hash);
});

export function read(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?");
  const [first, session, second, turn] = path.split("/").map(decode);
  if (first === "s" && session) return { screen: "chat", session, ...(second === "t" && turn && { turn }) };
  if (first === "sessions" || first === "needs" || first === "settings") return { screen: first };
  const operators = OPERATOR_SCREENS.find((screen) => screen === first);
  if (operators) return { screen: operators, id: session ?? "", query };
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
