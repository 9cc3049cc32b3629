import { strings } from "../strings";

/** The time for which a button says that it copied. */
const SAID_MS = 2_000;

/** Copies a text. Returns whether the browser permitted it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Only secure origins have a clipboard, and the server of a local network is none. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const hasCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}

/** Returns a button that copies a text. */
export function copyButton(text: () => string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = strings.peek().chat.copy;
  button.addEventListener("click", () => {
    void copy(text()).then((hasCopied) => {
      if (!hasCopied) return;
      button.textContent = strings.peek().chat.copied;
      setTimeout(() => {
        button.textContent = strings.peek().chat.copy;
      }, SAID_MS);
    });
  });
  return button;
}
