import { tokensOf } from "../../later/tokens";
import { formatNumber } from "../../shared";
import { get, type UsageReport, type UsageRow } from "../api";
import type { Cell } from "../csv";
import { downloadCsv } from "../downloadCsv";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { type Column, Table } from "../elements/Table";
import { dollarsOf, formatCost, formatDay } from "../intl";
import { useLoaded } from "../load";
import { words } from "../strings";
import { Budgets } from "./Budgets";
import { Chart, formatValue } from "./Chart";
import { type Choice, Range, readChoice } from "./Range";
import { type Dimension, daysOf, type Series, seriesOf, type Sum, sumOf, sumsOf, type Value } from "./series";

/** The consumption of the user, or for those who oversee others that of all users. */
export function Usage({ query }: { query: string }) {
  const { usage: texts, csv } = words.value;
  const choice = readChoice(query);
  const { from, to, by } = choice;
  const load = () => get<UsageReport>("usage", { from, to, by: `day,${by}` });
  const { data, error, isLoading, reload } = useLoaded(load, `${from} ${to} ${by}`);
  const actions = (
    <button
      type="button"
      disabled={!data?.data.length}
      onClick={() => data && downloadCsv("usage.csv", csvOf(data, by))}
    >
      {csv}
    </button>
  );
  return (
    <Screen title={texts.title} lead={texts.lead} actions={actions}>
      <Budgets />
      <Range choice={choice} />
      <Problem error={error} retry={() => void reload()} />
      {isLoading && !data && <p role="status">{words.value.loading}</p>}
      {data && <Report report={data} choice={choice} />}
    </Screen>
  );
}

function Report({ report, choice }: { report: UsageReport; choice: Choice }) {
  const texts = words.value.usage;
  const { by, measure } = choice;
  const { total } = report;
  if (total.calls === 0) return <p class="nothing">{texts.none}</p>;
  const days = daysOf(report);
  const series = seriesOf(report, days, by, measure);
  const unpriced = total.cost.unpriced_calls;
  return (
    <>
      <dl class="facts large">
        <Fact name={texts.calls} value={formatNumber(total.calls)} />
        <Fact name={texts.tokens} value={formatNumber(tokensOf(total.usage))} />
        <Fact name={texts.cost} value={formatCost(total.cost)} />
      </dl>
      {unpriced > 0 && (
        <p class="hint">
          {texts.unpriced(unpriced, formatNumber(unpriced))} {texts.signs}
        </p>
      )}
      <Chart days={days} series={series} measure={measure} />
      <Table
        caption={texts.totals(texts.dimensions[by])}
        columns={sumColumns(by)}
        rows={sumsOf(report, by, measure)}
        keyOf={(sum) => sum.name}
        isComplete
      />
      <details>
        <summary>{texts.daily}</summary>
        <Table
          caption={texts.daily}
          columns={dayColumns(series, measure)}
          rows={days.map((day, index) => ({ day, index }))}
          keyOf={({ day }) => day}
          isComplete
        />
      </details>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function sumColumns(by: Dimension): Column<Sum>[] {
  const texts = words.value.usage;
  const number = (key: Exclude<keyof Sum, "name" | "cost">, label: string): Column<Sum> => {
    return { key, label, cell: (sum) => formatNumber(sum[key]), value: (sum) => sum[key], isNumber: true };
  };
  return [
    { key: "name", label: texts.dimensions[by], cell: (sum) => <bdi>{sum.name}</bdi>, value: (sum) => sum.name },
    number("calls", texts.calls),
    number("fresh", texts.fresh),
    number("cached", texts.cached),
    number("written", texts.written),
    number("output", texts.output),
    number("reasoning", texts.reasoning),
    {
      key: "cost",
      label: texts.cost,
      cell: ({ cost }) => formatCost(cost),
      value: ({ cost }) => dollarsOf(cost),
      isNumber: true,
    },
    {
      key: "unpriced",
      label: texts.unpricedCalls,
      cell: ({ cost }) => formatNumber(cost.unpriced_calls),
      value: ({ cost }) => cost.unpriced_calls,
      isNumber: true,
    },
  ];
}

interface DayRow {
  day: string;
  index: number;
}

function dayColumns(series: Series[], measure: Choice["measure"]): Column<DayRow>[] {
  const texts = words.value.usage;
  const column = (key: string, label: string, value: (index: number) => Value | undefined): Column<DayRow> => {
    return {
      key,
      label,
      cell: ({ index }) => formatValue(value(index), measure),
      value: ({ index }) => amountOf(value(index)),
      isNumber: true,
    };
  };
  return [
    { key: "day", label: texts.day, cell: ({ day }) => formatDay(day), value: ({ day }) => day },
    column("total", texts.total, (index) => sumOf(series.map(({ values }) => values[index]))),
    ...series.map((one, at) =>
      column(`series ${at}`, one.isRest ? texts.rest : one.name, (index) => one.values[index]),
    ),
  ];
}

/** Returns an amount for the order of rows; `undefined` if nothing of it is known. */
function amountOf(value: Value | undefined): number | undefined {
  return value && (value.amount > 0 || value.unpriced === 0) ? value.amount : undefined;
}

/** Returns the rows of the report as they were sent, with costs in dollars. The field of an unknown cost is empty. */
function csvOf(report: UsageReport, by: Dimension): Cell[][] {
  const texts = words.value.usage;
  const heads = [texts.day, texts.dimensions[by], texts.calls, texts.fresh, texts.cached, texts.written, texts.output];
  const line = ({ day, calls, usage, cost, ...row }: UsageRow): Cell[] => {
    const tokens = [usage.fresh, usage.cache_read, usage.cache_write, usage.output, usage.reasoning];
    return [day, row[by], calls, ...tokens, dollarsOf(cost), cost.unpriced_calls];
  };
  return [[...heads, texts.reasoning, texts.dollars, texts.unpricedCalls], ...report.data.map(line)];
}
