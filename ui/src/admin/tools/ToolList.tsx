import { ApiError } from "../../shared";
import { getAll, type ToolRow } from "../api";
import { Problem } from "../elements/Problem";
import { type Column, Table } from "../elements/Table";
import { useLoaded } from "../load";
import { words } from "../strings";

/** All tools of all agents. A server that cannot list them has no such section. */
export function ToolList() {
  const texts = words.value.toolList;
  const { data, error, reload } = useLoaded(() => getAll<ToolRow>("tools"));
  if (error instanceof ApiError && error.status === 404) return null;
  const rows = data ?? [];
  const columns: Column<ToolRow>[] = [
    { key: "name", label: texts.name, cell: (tool) => <code>{tool.name}</code>, value: (tool) => tool.name },
    { key: "description", label: texts.description, cell: (tool) => <span dir="auto">{tool.description}</span> },
    { key: "source", label: texts.source, cell: sourceOf, value: sourceOf },
    {
      key: "policy",
      label: texts.policy,
      cell: (tool) => named(texts.policies, tool.policy) ?? "–",
      value: (tool) => named(texts.policies, tool.policy),
    },
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
          isComplete
        />
      )}
      {data && rows.length === 0 && <p class="nothing">{texts.none}</p>}
    </section>
  );
}

/** Says where a tool is from: the server that offers it, or the kind of its source. */
function sourceOf(tool: ToolRow): string {
  return tool.server ?? named(words.value.toolList.sources, tool.source) ?? "";
}

/** Returns the name of a value, or the value itself if a newer server has one that is not known here. */
function named(names: Record<string, string>, value: string | undefined): string | undefined {
  return value === undefined ? undefined : (names[value] ?? value);
}
