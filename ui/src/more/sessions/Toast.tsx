import type { ComponentChildren, TargetedEvent } from "preact";
import { strings } from "../../shared";
import { words } from "../strings";
import { failure, putAway, undo } from "./removal";

/** Says that a session was put away, and takes it back, and why something failed. */
export function Toast() {
  const { sessions } = words.value;
  const put = putAway.shown.value;
  const reason = failure.shown.value;
  const title = put?.session.title || strings.value.sessions.untitled;
  return (
    <div class="toasts" role="status">
      {reason !== undefined && <Line notice={failure}>{strings.value.page.failed(reason)}</Line>}
      {put && (
        <Line key={put.session.id} notice={putAway} button={{ name: sessions.undo, click: undo }}>
          {put.kind === "removed" ? sessions.deleted(title) : sessions.archived(title)}
        </Line>
      )}
    </div>
  );
}

interface LineProps {
  notice: { pause(): void; resume(): void };
  button?: { name: string; click(): void };
  children: ComponentChildren;
}

function Line({ notice, button, children }: LineProps) {
  const pause = () => notice.pause();
  const resume = ({ currentTarget, relatedTarget, type }: TargetedEvent<HTMLElement, MouseEvent | FocusEvent>) => {
    const isLeft = type === "blur" && !currentTarget.contains(relatedTarget as Node | null);
    if (!currentTarget.matches(isLeft ? ":hover" : ":focus-within")) notice.resume();
  };
  return (
    <p class="toast" onMouseEnter={pause} onMouseLeave={resume} onFocusCapture={pause} onBlurCapture={resume}>
      <span dir="auto">{children}</span>
      {button && (
        <button type="button" onClick={button.click}>
          {button.name}
        </button>
      )}
    </p>
  );
}
