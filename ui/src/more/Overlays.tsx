import { useEffect } from "preact/hooks";
import { dialog, route } from "../shared";
import { ContextPanel } from "./context/ContextPanel";
import { Rename } from "./sessions/Rename";
import { Toast } from "./sessions/Toast";
import { Shortcuts } from "./Shortcuts";

/** What may lie over any screen. */
export function Overlays() {
  const opened = dialog.value;
  const close = () => {
    dialog.value = undefined;
  };
  const shown = route.value;
  const session = opened?.kind === "context" ? opened.conversation.id : undefined;
  const isLeft = session !== undefined && !(shown.screen === "chat" && shown.session === session);
  useEffect(() => {
    if (isLeft) close();
  }, [isLeft]);
  return (
    <>
      {opened?.kind === "shortcuts" && <Shortcuts close={close} />}
      {opened?.kind === "rename" && <Rename session={opened.session} close={close} />}
      {opened?.kind === "context" && <ContextPanel conversation={opened.conversation} close={close} />}
      <Toast />
    </>
  );
}
