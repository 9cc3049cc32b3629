import { useEffect, useState } from "preact/hooks";
import { loadMore, more } from "../state/later";
import { Loading } from "./Loading";

/** A screen that is in the part of the page that is loaded later. */
export function More({ screen, title }: { screen: "Sessions" | "Settings" | "SignIn"; title: string }) {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => void loadMore().catch(() => setFailed(true)), []);
  const Screen = more.value?.[screen];
  return Screen ? <Screen /> : <Loading title={title} hasFailed={hasFailed} />;
}
