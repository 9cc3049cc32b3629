import { Icon } from "../../shared";
import type { Upload, Uploads } from "../../state/uploads";
import { formatBytes } from "../bytes";
import { MoreIcon } from "../MoreIcon";
import { words } from "../strings";

/** The files beside the next message. */
export function FileList({ uploads }: { uploads: Uploads }) {
  const list = uploads.list.value;
  if (list.length === 0) return null;
  return (
    <ul class="files" aria-label={words.value.files.title}>
      {list.map((upload) => (
        <FileChip key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function FileChip({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { files } = words.value;
  const { id, name, bytes, state, problem, preview } = upload;
  const isBad = state === "failed" || state === "refused";
  return (
    <li class={isBad ? "file bad" : "file"} aria-busy={state === "uploading"}>
      {preview ? <img src={preview} alt="" /> : <MoreIcon name="document" />}
      <span class="file-text">
        <bdi class="file-name" title={name}>
          {name}
        </bdi>
        <span class="file-detail">
          {formatBytes(bytes)}
          {state === "uploading" && ` · ${files.uploading}`}
        </span>
        {problem && <span role="alert">{problem}</span>}
      </span>
      {state === "failed" && (
        <button type="button" class="quiet" onClick={() => uploads.retry(id)}>
          {files.retry}
        </button>
      )}
      <button type="button" class="icon-button" aria-label={files.remove(name)} onClick={() => uploads.remove(id)}>
        <Icon name="close" />
      </button>
    </li>
  );
}
