import { client } from "../../shared";

/** A piece of the next request. */
export interface ContextItem {
  category: string;
  source: string;
  /** Its estimated tokens: 0 if it was left out. */
  tokens: number;
  /** How it was shortened, if it was. */
  cut?: { from: number; why: string };
}

/** The request that a session would send now. Fields that are not listed here are not read. */
export interface ContextReport {
  items: ContextItem[];
  /** The sources of instructions that failed. */
  left_out: { source: string; why: string }[];
  used: number;
  /** The most tokens of a request with its answer, if that is known. */
  limit?: number;
  request: { messages: { mark?: string }[] };
}

/** All pieces of one kind. */
export interface ContextPart {
  category: string;
  tokens: number;
  items: ContextItem[];
}

export async function loadContext(session: string): Promise<ContextReport> {
  const response = await client.send("GET", `api/v1/sessions/${session}/context`);
  return (await response.json()) as ContextReport;
}

/** Returns the pieces by their kind, in the order in which they are sent. What is empty is left out. */
export function partsOf({ items }: ContextReport): ContextPart[] {
  const parts = new Map<string, ContextPart>();
  for (const item of items) {
    if (item.tokens === 0) continue;
    const part = parts.get(item.category) ?? { category: item.category, tokens: 0, items: [] };
    parts.set(item.category, { ...part, tokens: part.tokens + item.tokens, items: [...part.items, item] });
  }
  return [...parts.values()];
}

/** Returns which colour a kind has: all instructions have the same. */
export function colourOf(category: string): "instructions" | "tools" | "messages" | "answer" {
  if (category === "tool") return "tools";
  if (category === "history") return "messages";
  return category === "reserve" ? "answer" : "instructions";
}
