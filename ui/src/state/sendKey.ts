import { signal } from "@preact/signals";
import { load, save } from "./storage";

/** The keys that send a message: Enter, or Enter together with Ctrl or Cmd. */
export const SEND_KEYS = ["enter", "ctrl_enter"] as const;

export type SendKey = (typeof SEND_KEYS)[number];

const KEY = "turnkit.send_key";

export const sendKey = signal<SendKey>(load(KEY) === "ctrl_enter" ? "ctrl_enter" : "enter");

export function chooseSendKey(chosen: SendKey): void {
  sendKey.value = chosen;
  save(KEY, chosen === "enter" ? undefined : chosen);
}
