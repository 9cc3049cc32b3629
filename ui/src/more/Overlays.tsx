import { dialog } from "../shared";
import { Rename } from "./sessions/Rename";
import { Toast } from "./sessions/Toast";
import { Shortcuts } from "./Shortcuts";

/** What may lie over any screen. */
export function Overlays() {
  const opened = dialog.value;
  const close = () => {
    dialog.value = undefined;
  };
  return (
    <>
      {opened?.kind === "shortcuts" && <Shortcuts close={close} />}
      {opened?.kind === "rename" && <Rename session={opened.session} close={close} />}
      <Toast />
    </>
  );
}
