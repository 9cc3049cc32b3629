import { strings } from "../strings";

/** A screen whose part of the page is being loaded, or could not be. */
export function Loading({ title, hasFailed }: { title: string; hasFailed: boolean }) {
  const { page } = strings.value;
  return (
    <div class="screen">
      <h1>{title}</h1>
      {hasFailed ? <p role="alert">{page.notLoaded}</p> : <p role="status">{page.loading}</p>}
      {hasFailed && (
        <button type="button" onClick={() => location.reload()}>
          {page.reload}
        </button>
      )}
    </div>
  );
}
