import { useEffect, useRef, useState } from "preact/hooks";
import { me } from "../../shared";
import { get, type UsageReport } from "../api";
import { nameOfState, words } from "../strings";
import { FilterField } from "./FilterField";
import { addressWith, type Filter, type Filters, readFilters, STATES } from "./filters";

/** The filters of the list. They are in the address, so that a filtered list can be kept and sent. */
export function FilterForm({ filters }: { filters: Filters }) {
  const texts = words.value.turns;
  const users = useUsers();
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
        {(me.value?.oversees ?? true) && (
          <FilterField
            label={texts.filters.user}
            list="names-user"
            value={filters.user ?? ""}
            choose={(value) => set("user", value)}
          />
        )}
        {Object.keys(filters).length > 0 && (
          <button type="button" class="quiet" onClick={clear}>
            {texts.filters.clear}
          </button>
        )}
      </div>
      <datalist id="names-user">
        {users.map((user) => (
          <option key={user} value={user} />
        ))}
      </datalist>
    </form>
  );
}

/** Returns the users that appear in the usage of the last 30 days. */
function useUsers(): string[] {
  const [users, setUsers] = useState<string[]>([]);
  useEffect(() => {
    const found = (report: UsageReport) => {
      setUsers([...new Set(report.data.map((row) => row.user).filter((user) => user !== undefined))]);
    };
    get<UsageReport>("usage", { by: "user" }).then(found, () => {});
  }, []);
  return users;
}
