import { strings } from "../../shared";
import { words } from "../strings";
import { notice, pause, resume, undo } from "./removal";

/** Says that a session was deleted, and takes it back. */
export function Toast() {
  const shown = notice.value;
  const { sessions } = words.value;
  const title = shown?.kind === "removed" ? shown.session.title || strings.value.sessions.untitled : "";
  return (
    <div class="toasts" role="status">
      {shown && (
        <p class="toast" onMouseEnter={pause} onMouseLeave={resume} onFocusCapture={pause} onBlurCapture={resume}>
          <span dir="auto">
            {shown.kind === "removed" ? sessions.deleted(title) : strings.value.page.failed(shown.reason)}
          </span>
          {shown.kind === "removed" && (
            <button type="button" onClick={undo}>
              {sessions.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
