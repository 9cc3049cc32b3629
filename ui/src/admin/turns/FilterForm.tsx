import { useEffect, useRef, useState } from "preact/hooks";
import { me } from "../../shared";
import { get, type UsageReport } from "../api";
import { nameOfState, words } from "../strings";
import { FilterField } from "./FilterField";
import { addressWith, type Filter, type Filters, fromLocal, readFilters, STATES, toLocal } from "./filters";

/** The filters that name something, which the report of usage lists. */
const NAMED = ["agent", "provider", "model", "user"] as const;

type Named = (typeof NAMED)[number];

/** The filters of the list. They are in the address, so that a filtered list can be kept and sent. */
export function FilterForm({ filters }: { filters: Filters }) {
  const texts = words.value.turns;
  const names = useNames();
  const rare: Filter[] = ["provider", "model", "error", "user", "from", "to"];
  const [isOpen] = useState(rare.some((name) => filters[name]));
  const state = useRef<HTMLSelectElement>(null);
  const clear = () => {
    location.hash = addressWith({});
    // The button is about to go.
    state.current?.focus();
  };
  const set = (name: Filter, value: string) => {
    // The address may be newer than what is drawn.
    const current = readFilters(location.hash.split("?")[1] ?? "");
    location.hash = addressWith({ ...current, [name]: value.trim() });
  };
  const named = (name: Named | "error") => (
    <FilterField
      label={texts.filters[name]}
      type="text"
      list={name === "error" ? undefined : `names-${name}`}
      value={filters[name] ?? ""}
      choose={(value) => set(name, value)}
    />
  );
  const time = (name: "from" | "to") => (
    <FilterField
      label={texts.filters[name]}
      type="datetime-local"
      value={toLocal(filters[name])}
      choose={(value) => set(name, fromLocal(value))}
    />
  );
  return (
    <form class="filters" aria-label={texts.filters.title} onSubmit={(event) => event.preventDefault()}>
      <div class="filter-row">
        <label class="field">
          {texts.filters.state}
          <select ref={state} value={filters.state ?? ""} onChange={(event) => set("state", event.currentTarget.value)}>
            <option value="">{texts.filters.any}</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {nameOfState(state)}
              </option>
            ))}
          </select>
        </label>
        {named("agent")}
        {Object.keys(filters).length > 0 && (
          <button type="button" class="quiet" onClick={clear}>
            {texts.filters.clear}
          </button>
        )}
      </div>
      <details open={isOpen}>
        <summary>{texts.filters.more}</summary>
        <div class="filter-row">
          {named("provider")}
          {named("model")}
          {named("error")}
          {(me.value?.oversees ?? true) && named("user")}
          {time("from")}
          {time("to")}
        </div>
      </details>
      {NAMED.map((name) => (
        <datalist key={name} id={`names-${name}`}>
          {names[name].map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ))}
    </form>
  );
}

/** Returns the names that appear in the usage of the last 30 days. */
function useNames(): Record<Named, string[]> {
  const [names, setNames] = useState<Record<Named, string[]>>({ agent: [], provider: [], model: [], user: [] });
  useEffect(() => {
    const found = (report: UsageReport) => {
      const all = (name: Named) => [
        ...new Set(report.data.map((row) => row[name]).filter((value) => value !== undefined)),
      ];
      setNames({ agent: all("agent"), provider: all("provider"), model: all("model"), user: all("user") });
    };
    get<UsageReport>("usage", { by: NAMED.join(",") }).then(found, () => {});
  }, []);
  return names;
}
