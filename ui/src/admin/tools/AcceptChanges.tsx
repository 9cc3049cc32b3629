import { useEffect, useRef, useState } from "preact/hooks";
import { useGuard } from "../../later/useGuard";
import { ApiError, Dialog, strings } from "../../shared";
import { type ChangedTool, type McpServer, post } from "../api";
import { Problem } from "../elements/Problem";
import { words } from "../strings";
import { Definition } from "./Definition";

interface AcceptChangesProps {
  server: McpServer;
  changed(): Promise<void>;
}

/** A button that accepts the changed tools of a server, after their definitions were shown. */
export function AcceptChanges({ server: { name, state, tools }, changed }: AcceptChangesProps) {
  const texts = words.value.tools;
  const [isAsking, setAsking] = useState(false);
  const changedTools = tools.filter((tool): tool is ChangedTool => "fingerprint" in tool);
  if (changedTools.length === 0 && !isAsking) return null;
  return (
    <div class="buttons">
      <button type="button" onClick={() => setAsking(true)}>
        {texts.accept}
        <span class="unseen"> {name}</span>
      </button>
      {isAsking && (
        <AcceptDialog
          server={name}
          isReady={state === "ready"}
          tools={changedTools}
          reload={changed}
          close={() => setAsking(false)}
        />
      )}
    </div>
  );
}

interface AcceptDialogProps {
  server: string;
  /** Whether the tools of the server are known. */
  isReady: boolean;
  tools: ChangedTool[];
  reload(): Promise<void>;
  close(): void;
}

function AcceptDialog({ server, isReady, tools, reload, close }: AcceptDialogProps) {
  const texts = words.value.tools;
  const [error, setError] = useState<unknown>();
  /** The definitions that the server refused, because it has others by now. */
  const [refused, setRefused] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const seen = tools.map(({ name, fingerprint }) => ({ name, fingerprint }));
  // What replaces these definitions has not been read yet.
  const shown = JSON.stringify(seen);
  const isNew = useGuard(shown);
  const hasOthers = refused !== undefined && refused !== shown && isReady;
  const warning = useRef<HTMLParagraphElement>(null);
  // The button is below the definitions, and what is said about new ones above them.
  useEffect(() => warning.current?.scrollIntoView({ block: "center" }), [error]);
  const accept = async () => {
    setRunning(true);
    setError(undefined);
    setRefused(undefined);
    try {
      await post(`mcp/${encodeURIComponent(server)}/accept`, { tools: seen });
      close();
      await reload();
    } catch (error) {
      if (hasChanged(error)) {
        setRefused(shown);
        await reload();
      }
      setError(error);
      setRunning(false);
    }
  };
  return (
    <Dialog title={texts.acceptTitle(server)} close={close}>
      {hasOthers && (
        <p ref={warning} class="problem" role="alert">
          {tools.length > 0 ? texts.changedAgain : texts.takenBack}
        </p>
      )}
      {tools.length > 0 && <p>{texts.acceptText}</p>}
      {tools.map((tool) => (
        <Definition key={tool.name} tool={tool} />
      ))}
      {!hasOthers && <Problem error={error} />}
      <p class="buttons">
        {tools.length > 0 && (
          <button type="button" class="danger" disabled={isRunning || isNew} onClick={() => void accept()}>
            {texts.accept}
          </button>
        )}
        <button type="button" onClick={close}>
          {strings.value.page.cancel}
        </button>
      </p>
    </Dialog>
  );
}

/** Whether the server has other definitions than those that were to be accepted. */
function hasChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === "definition_changed";
}
