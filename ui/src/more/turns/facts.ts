import { formatSpan } from "../../later/duration";
import { formatMoney } from "../../later/money";
import { tokensOf } from "../../later/tokens";
import { formatNumber, strings, type TurnView } from "../../shared";
import { words } from "../strings";

/** Returns how a turn ended, who answered, how long it took, and what it cost. */
export function factsOf(view: TurnView): string[] {
  const { turns } = words.value;
  const { usage, cost, status } = view;
  const tokens = tokensOf(usage);
  const first = view.steps[0]?.first_ms;
  const took = Date.parse(view.ended_at ?? "") - Date.parse(view.accepted_at ?? "");
  const facts = [
    status && status !== "completed" && strings.value.status.ended[status],
    view.agent,
    view.steps.at(-1)?.model,
    first !== undefined && turns.firstToken(formatSpan(first)),
    took >= 0 && turns.duration(formatSpan(took)),
    tokens > 0 && turns.tokens(formatNumber(tokens)),
    cost && cost.nano_usd > 0 && formatMoney(cost.nano_usd),
    cost && cost.unpriced_calls > 0 && turns.unpriced,
  ];
  return facts.filter((fact): fact is string => typeof fact === "string" && fact !== "");
}
