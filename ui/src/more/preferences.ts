import { signal } from "@preact/signals";
import { load, save } from "../shared";

export const DENSITIES = ["comfortable", "compact"] as const;

export type Density = (typeof DENSITIES)[number];

/** `theme.js` reads the same key before the page is drawn. */
const DENSITY = "turnkit.density";
const NOTIFICATIONS = "turnkit.notifications";

export const density = signal<Density>(load(DENSITY) === "compact" ? "compact" : "comfortable");

/** Whether the user wants notifications of the system. The browser may forbid them all the same. */
export const notifies = signal(load(NOTIFICATIONS) === "on");

export function chooseDensity(chosen: Density): void {
  density.value = chosen;
  document.documentElement.dataset.density = chosen;
  save(DENSITY, chosen === "comfortable" ? undefined : chosen);
}

export function chooseNotifications(wanted: boolean): void {
  notifies.value = wanted;
  save(NOTIFICATIONS, wanted ? "on" : undefined);
}
