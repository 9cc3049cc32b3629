import { useEffect, useState } from "preact/hooks";
import { loadMore, more } from "../state/later";
import { strings } from "../strings";

/** A screen that is in the part of the page that is loaded later. */
export function More({ screen, title }: { screen: "Sessions" | "Settings"; title: string }) {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => void loadMore().catch(() => setFailed(true)), []);
  const Screen = more.value?.[screen];
  if (Screen) return <Screen />;
  return (
    <div class="screen">
      <h1>{title}</h1>
      {hasFailed ? (
        <p role="alert">{strings.value.rail.notLoaded}</p>
      ) : (
        <p role="status">{strings.value.page.loading}</p>
      )}
      {hasFailed && (
        <button type="button" onClick={() => location.reload()}>
          {strings.value.page.reload}
        </button>
      )}
    </div>
  );
}
