import { useEffect, useState } from "preact/hooks";
import { route } from "../state/route";
import { load, save } from "../state/storage";

const KEY = "turnkit.rail";

/** Whether the rail has room beside the screen. Otherwise it lies over it. */
export const wide = matchMedia("(width >= 45rem)");

const isOpenAtFirst = () => wide.matches && !load(KEY);

/** Whether the rail is shown, and a function that shows or hides it. Beside the screen, the browser remembers that. */
export function useRail(): [boolean, () => void] {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  useEffect(() => {
    const fit = () => setOpen(isOpenAtFirst());
    wide.addEventListener("change", fit);
    return () => wide.removeEventListener("change", fit);
  }, []);
  // What was chosen in it is behind it.
  useEffect(() => setOpen((isOpen) => isOpen && wide.matches), [route.value]);
  const toggle = () => {
    if (wide.matches) save(KEY, isOpen ? "folded" : undefined);
    // What is hidden cannot keep the focus.
    if (document.activeElement?.closest(".rail")) document.querySelector<HTMLElement>(".rail-button")?.focus();
    setOpen(!isOpen);
  };
  return [isOpen, toggle];
}
