import { useEffect, useState } from "preact/hooks";
import { once } from "../state/later";
import type { OperatorRoute } from "../state/route";
import { strings } from "../strings";
import { Loading } from "./Loading";

type Part = typeof import("../admin/index");

/** A screen of operators. Their part of the page is loaded when one of them is first opened. */
export function Operator({ shown }: { shown: OperatorRoute }) {
  const [part, setPart] = useState<Part>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(setPart, () => setFailed(true));
  }, []);
  const Screen = part?.screens[shown.screen];
  const title = strings.value.operator[shown.screen];
  return Screen ? <Screen shown={shown} /> : <Loading title={title} hasFailed={hasFailed} />;
}

const load = once(async () => {
  const [part] = await Promise.all([import("../admin/index"), loadStyles()]);
  return part;
});

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
