import { useState } from "preact/hooks";
import { formatNumber } from "../../shared";
import { getAll, type McpServer, post } from "../api";
import { explain, Problem } from "../elements/Problem";
import { State } from "../elements/State";
import { mayOperate, Refusal } from "../elements/WayOut";
import { When } from "../elements/When";
import { useLoaded } from "../load";
import { words } from "../strings";
import { AcceptChanges } from "./AcceptChanges";

/** The MCP servers whose tools agents use. */
export function Servers() {
  const { servers, forbidden } = words.value.tools;
  if (mayOperate()) return <ServerList />;
  return (
    <section>
      <h2>{servers}</h2>
      <Refusal text={forbidden} />
    </section>
  );
}

function ServerList() {
  const texts = words.value.tools;
  const { data, error, isLoading, reload } = useLoaded(() => getAll<McpServer>("mcp"));
  return (
    <section>
      <h2>{texts.servers}</h2>
      <Problem error={error} forbidden={texts.forbidden} retry={() => void reload()} />
      {isLoading && !data && <p role="status">{words.value.loading}</p>}
      {data?.length === 0 && <p class="nothing">{texts.noServers}</p>}
      <ul class="panels">
        {data?.map((server) => (
          <li key={server.name}>
            <Server server={server} changed={reload} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ServerProps {
  server: McpServer;
  changed(): Promise<void>;
}

function Server({ server, changed }: ServerProps) {
  const texts = words.value.tools;
  const unusual = server.tools.filter((tool) => tool.state !== "pinned");
  const pinned = server.tools.filter((tool) => tool.state === "pinned");
  return (
    <article class="panel" aria-label={server.name}>
      <header>
        <h3 dir="auto">{server.name}</h3>
        <State state={server.state} />
        <code class="remark">{server.program ?? server.url}</code>
      </header>
      {server.error && (
        <div class="reason">
          <p dir="auto">{server.error}</p>
          {server.retry_at && (
            <p class="remark">
              {texts.again} <When time={server.retry_at} isRelative />
            </p>
          )}
        </div>
      )}
      {server.state === "ready" && (
        <p class="remark">
          {[server.server, server.protocol && texts.protocol(server.protocol)].filter(Boolean).join(" · ")} ·{" "}
          {texts.read} <When time={server.tools_read_at} isRelative />
          {server.connections > 1 && ` · ${texts.connections(formatNumber(server.connections))}`}
        </p>
      )}
      {unusual.map((tool) => (
        <div key={tool.name} class="reason">
          <p>
            <code>{tool.name}</code> <State state={tool.state} />{" "}
            {tool.changed_at && <When time={tool.changed_at} isRelative />}
          </p>
          {tool.reason && <p dir="auto">{tool.reason}</p>}
        </div>
      ))}
      {pinned.length > 0 && (
        <details>
          <summary>{texts.pinned(pinned.length, formatNumber(pinned.length))}</summary>
          <ul class="names">
            {pinned.map((tool) => (
              <li key={tool.name}>
                <code>{tool.name}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Reconnect name={server.name} changed={changed} />
      <AcceptChanges server={server} changed={changed} />
    </article>
  );
}

/** A button that connects to a server anew, and what came of it. */
function Reconnect({ name, changed }: { name: string; changed(): Promise<void> }) {
  const texts = words.value.tools;
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<{ text: string; isError: boolean }>();
  const reconnect = async () => {
    setRunning(true);
    setResult(undefined);
    const failed = await post(`mcp/${encodeURIComponent(name)}/reconnect`).then(
      () => undefined,
      (error: unknown) => ({ text: explain(error), isError: true }),
    );
    await changed();
    setResult(failed ?? { text: texts.reconnected, isError: false });
    setRunning(false);
  };
  return (
    <div class="thaw">
      <button type="button" disabled={isRunning} onClick={() => void reconnect()}>
        {isRunning ? texts.reconnecting : texts.reconnect}
        <span class="unseen"> {name}</span>
      </button>
      <p class={result?.isError ? "error" : "remark"} role="status" dir="auto">
        {result?.text}
      </p>
    </div>
  );
}
