import { forgetUnsent } from "../../later/unsent";
import { saveDraft } from "../../shared";
import { saveOptions } from "../composer/options";
import { dropFiles } from "../files/store";

/**
 * Removes what the browser keeps for a session: the text, the choices and the files of its next message, and what was
 * written for its earlier messages and its decisions.
 */
export function forgetMessage(session: string): void {
  saveDraft(session, { text: "" });
  saveOptions(session, {});
  forgetUnsent(session);
  void dropFiles(session);
}
