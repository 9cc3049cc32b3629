import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MoreIcon } from "./MoreIcon";

export interface MenuItem {
  name: string;
  run(): void;
}

/** A button that opens a list of actions. */
export function Menu({ label, items }: { label: string; items: MenuItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <MoreIcon name="dots" />
      </button>
      {isOpen && <Items label={label} items={items} anchor={button.current} close={close} />}
    </>
  );
}

interface ItemsProps {
  label: string;
  items: MenuItem[];
  anchor: HTMLElement | null;
  close(): void;
}

function Items({ label, items, anchor, close }: ItemsProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (menu.current && anchor) place(menu.current, anchor);
    menu.current?.querySelector("button")?.focus();
  }, []);
  useEffect(() => {
    const leave = (event: Event) => {
      const isInside =
        event.target instanceof Node && (menu.current?.contains(event.target) || anchor?.contains(event.target));
      if (!isInside) close();
    };
    addEventListener("pointerdown", leave);
    addEventListener("scroll", leave, true);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("scroll", leave, true);
    };
  }, []);
  const press = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll("button") ?? [])];
    const place = all.findIndex((item) => item === document.activeElement);
    const target = { ArrowDown: place + 1, ArrowUp: place + all.length - 1, Home: 0, End: all.length - 1 }[event.key];
    if (target !== undefined) all[target % all.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={menu} class="menu" role="menu" aria-label={label} onKeyDown={press}>
      {items.map((item) => (
        <button
          key={item.name}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            close();
            item.run();
          }}
        >
          {item.name}
        </button>
      ))}
    </div>
  );
}

/** Places a menu below its button, or above it where there is no room. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const { bottom, top, left, right } = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isLeftToRight = getComputedStyle(anchor).direction === "ltr";
  const start = isLeftToRight ? right - width : left;
  // Otherwise the other side counts where the page is read from right to left.
  menu.style.right = "auto";
  menu.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  menu.style.top = `${bottom + height + 8 < innerHeight ? bottom + 4 : Math.max(8, top - height - 4)}px`;
}
