import type { Usage } from "../shared";

/** All tokens of a call, a turn or a day. Reasoning is a part of the output. */
export function tokensOf(usage: Usage | undefined): number {
  return usage ? usage.fresh + usage.cache_read + usage.cache_write + usage.output : 0;
}
