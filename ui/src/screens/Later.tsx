import { useEffect, useState } from "preact/hooks";
import type { OperatorRoute } from "../state/route";
import { strings } from "../strings";

type Part = typeof import("../admin/index");

let loading: Promise<Part> | undefined;

/** A screen of operators. Their part of the page is loaded when one of them is first opened. */
export function Later({ shown }: { shown: OperatorRoute }) {
  const { operator, page } = strings.value;
  const [part, setPart] = useState<Part>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(setPart, () => setFailed(true));
  }, []);
  if (part) {
    const Screen = part.screens[shown.screen];
    return <Screen shown={shown} />;
  }
  return (
    <div class="screen">
      <h1>{operator[shown.screen]}</h1>
      {hasFailed ? <p role="alert">{operator.notLoaded}</p> : <p role="status">{page.loading}</p>}
      {hasFailed && (
        <button type="button" onClick={() => location.reload()}>
          {page.reload}
        </button>
      )}
    </div>
  );
}

function load(): Promise<Part> {
  loading ??= Promise.all([import("../admin/index"), loadStyles()]).then(([part]) => part);
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

function loadStyles(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = "admin.css";
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("admin.css could not be loaded"));
    });
    document.head.append(link);
  });
}
