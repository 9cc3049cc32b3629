import { formatNumber } from "../../shared";
import { type BudgetLevel, get } from "../api";
import { Problem } from "../elements/Problem";
import { formatCost } from "../intl";
import { useLoaded } from "../load";
import { words } from "../strings";

/** What is left of the user's budgets, if there are any. */
export function Budgets() {
  const { data, error } = useLoaded(() => get<{ data: BudgetLevel[] }>("budgets"), "budgets");
  const texts = words.value.usage;
  if (!data?.data.length) return <Problem error={error} />;
  return (
    <section aria-labelledby="budgets">
      <h2 id="budgets">{texts.budgets}</h2>
      <ul class="budgets">
        {data.data.map((level) => (
          <li key={`${level.period} ${level.unit}`}>
            <span>{texts.periods[level.period]}</span>
            <meter
              aria-label={`${texts.periods[level.period]}: ${leftOf(level)}`}
              max={level.limit}
              value={Math.min(level.used, level.limit)}
            />
            <span>{leftOf(level)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function leftOf({ unit, limit, used }: BudgetLevel): string {
  const texts = words.value.usage;
  const isTokens = unit === "tokens";
  const format = (amount: number) => (isTokens ? formatNumber(amount) : formatCost({ nano_usd: amount, unpriced_calls: 0 }));
  const whole = isTokens ? texts.tokenCount(format(limit)) : format(limit);
  return used < limit ? texts.left(format(limit - used), whole) : texts.usedUp(whole);
}
