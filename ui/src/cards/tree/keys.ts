/** Moves in a tree, and opens and closes its values, as the keys of the operating systems do. */
export function keyPressed(event: KeyboardEvent, toggle: (path: string) => void): void {
  const tree = event.currentTarget as HTMLElement;
  const item = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actionOf(event.key, tree, item);
  if (!action) return;
  // The key is not one of the page's, and does not scroll.
  event.preventDefault();
  event.stopPropagation();
  if (action === "toggle") toggle(item.dataset.path ?? "");
  else if (action !== "stay") action.focus();
}

type Action = HTMLElement | "toggle" | "stay" | undefined;

function actionOf(key: string, tree: HTMLElement, item: HTMLElement): Action {
  const items = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const place = items.indexOf(item);
  const expanded = item.getAttribute("aria-expanded");
  switch (key) {
    case "ArrowDown":
      return items[place + 1] ?? "stay";
    case "ArrowUp":
      return items[place - 1] ?? "stay";
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    case "ArrowRight":
      if (expanded === "false") return "toggle";
      return expanded === "true" ? items[place + 1] : "stay";
    case "ArrowLeft":
      if (expanded === "true") return "toggle";
      return item.parentElement?.closest<HTMLElement>("[role=treeitem]") ?? "stay";
    default:
      return undefined;
  }
}
