/** German for the sentences in which the server says why a call waits. They have no code, so the sentence is the key. */
export const REASONS: Readonly<Record<string, string>> = {
  "in the permission mode `plan`, only tools that read may run":
    "Im Berechtigungsmodus „plan“ dürfen nur lesende Werkzeuge laufen.",
  "in the permission mode `accept_edits`, changes of files need no approval":
    "Im Berechtigungsmodus „accept_edits“ brauchen Änderungen an Dateien keine Erlaubnis.",
  "the tool is the host's own": "Das Werkzeug gehört zum Programm selbst.",
  "the configuration trusts the tool": "Die Konfiguration vertraut dem Werkzeug.",
  "the tool only reads, and only inside this installation":
    "Das Werkzeug liest nur, und das nur innerhalb dieser Installation.",
  "no rule matches it, and the tool changes something or reaches other systems":
    "Keine Regel trifft auf den Aufruf zu, und das Werkzeug ändert etwas oder erreicht andere Systeme.",
  "the model was sent untrusted text, which may have told it to make the call":
    "Dem Modell lag fremder Text vor, der es zu dem Aufruf verleitet haben kann.",
  "a person granted it by approving an earlier call": "Mit einem früheren Aufruf wurde auch dieser erlaubt.",
  "the definition of the tool has changed since a person granted its calls":
    "Die Definition des Werkzeugs hat sich geändert, seit seine Aufrufe erlaubt wurden.",
  "the definition of the tool has changed since it was accepted":
    "Die Definition des Werkzeugs hat sich geändert, seit sie angenommen wurde.",
  "the definition of another tool has changed since it was accepted, and may have told the model to make the call":
    "Die Definition eines anderen Werkzeugs hat sich geändert, seit sie angenommen wurde. Sie kann das Modell zu dem " +
    "Aufruf verleitet haben.",
  "in the permission mode `bypass`, calls that need approval run with a notice":
    "Im Berechtigungsmodus „bypass“ laufen Aufrufe, die eine Erlaubnis brauchen, mit einem Hinweis.",
  "in the permission mode `headless`, calls that need approval are denied":
    "Im Berechtigungsmodus „headless“ werden Aufrufe abgelehnt, die eine Erlaubnis brauchen.",
  "the server stopped while it ran: it may have taken effect, and must not run twice":
    "Der Server wurde angehalten, während der Aufruf lief: Er kann gewirkt haben und darf nicht zweimal laufen.",
  "the client runs this tool": "Das Programm, das dieses Werkzeug anbietet, führt es aus.",
  "the tool is gone": "Das Werkzeug gibt es nicht mehr.",
};

/** What stands between the reason and the arguments that a person has changed. */
export const WITH_ARGUMENTS = "; it ran with the arguments ";

/** Returns the reason why a call waits in German. A sentence of another version of the server stays as it is. */
export function reasonInGerman(sentence: string): string {
  const [, rule] = /^rule (\d+) of the configuration asks for approval$/.exec(sentence) ?? [];
  if (rule) return `Regel ${rule} der Konfiguration verlangt eine Erlaubnis.`;
  const [reason = "", ...changed] = sentence.split(WITH_ARGUMENTS);
  const german = REASONS[reason];
  if (german === undefined) return sentence;
  return changed.length > 0 ? `${german} Der Aufruf lief mit den Argumenten ${changed.join(WITH_ARGUMENTS)}` : german;
}
