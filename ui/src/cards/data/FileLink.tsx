import { useState } from "preact/hooks";
import { download } from "../../later/download";
import { loadFile } from "../../later/file";
import { messageOf, withoutUnseen } from "../../shared";
import { words } from "../strings";

/** A button that saves a file of the user. */
export function FileLink({ url, name }: { url: string; name: string }) {
  return <SaveButton name={name} load={() => loadFile(url)} />;
}

/** A button that saves what it loads. */
export function SaveButton({ name, load }: { name: string; load: () => Promise<Blob> }) {
  const [problem, setProblem] = useState("");
  const { tool } = words.value;
  const safeName = withoutUnseen(name).replace(/[\\/]/g, "_") || tool.file;
  const save = () => {
    setProblem("");
    load().then(
      (blob) => download(safeName, new Blob([blob], { type: "application/octet-stream" })),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  return (
    <div>
      <button type="button" onClick={save}>
        {tool.download(safeName)}
      </button>
      {problem && (
        <p class="remark error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
