import { ApiError, type List } from "../../shared";
import { get, type ToolRow } from "../api";
import { Problem } from "../elements/Problem";
import { type Column, Table } from "../elements/Table";
import { useLoaded } from "../load";
import { words } from "../strings";

/** All tools of all agents. A server that cannot list them has no such section. */
export function ToolList() {
  const texts = words.value.toolList;
  const { data, error, reload } = useLoaded(() => get<List<ToolRow>>("tools", { limit: "200" }));
  if (error instanceof ApiError && error.status === 404) return null;
  const rows = data?.data ?? [];
  const columns: Column<ToolRow>[] = [
    { key: "name", label: texts.name, cell: (tool) => <code>{tool.name}</code>, value: (tool) => tool.name },
    { key: "description", label: texts.description, cell: (tool) => <span dir="auto">{tool.description}</span> },
    {
      key: "source",
      label: texts.source,
      cell: (tool) => tool.server ?? tool.source,
      value: (tool) => tool.server ?? tool.source,
    },
    { key: "policy", label: texts.policy, cell: (tool) => tool.policy ?? "–", value: (tool) => tool.policy },
    {
      key: "agents",
      label: texts.agents,
      cell: (tool) => tool.agents?.join(", ") ?? "–",
      value: (tool) => tool.agents?.join(", "),
    },
  ];
  return (
    <section>
      <h2>{texts.title}</h2>
      <Problem error={error} forbidden={words.value.tools.forbidden} retry={() => void reload()} />
      {rows.length > 0 && (
        <Table
          caption={texts.title}
          columns={columns}
          rows={rows}
          keyOf={(tool) => tool.name}
          isComplete={!data?.next}
        />
      )}
      {data && rows.length === 0 && <p class="nothing">{texts.none}</p>}
    </section>
  );
}
