import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { strings } from "../strings";
import { Icon } from "./Icon";

interface DialogProps {
  title: string;
  close(): void;
  children: ComponentChildren;
}

/** A dialog over the page. The focus returns to where it was when it is closed. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // As long as the dialog is in the page, nothing outside of it takes the focus.
      if (focused instanceof HTMLElement) queueMicrotask(() => focused.focus());
    };
  }, []);
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  return (
    <dialog ref={dialog} aria-label={title} onClose={close} onClick={closeOutside}>
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label={strings.value.page.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
