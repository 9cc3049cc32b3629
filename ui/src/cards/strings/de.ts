import type { Decided } from "../approval/decided";
import type { CardsStrings } from "./en";
import { reasonInGerman } from "./reasons";

/** The texts of this part of the page in German. */
export const de: CardsStrings = {
  tool: {
    arguments: "Argumente",
    result: "Ergebnis",
    data: "Daten",
    images: "Bilder",
    error: "Fehler",
    group: (count, states) => `${count} Werkzeuge · ${states}`,
    states: {
      writing: (count) => `${count} in Vorbereitung`,
      waiting: (count) => `${count} warten auf Sie`,
      running: (count) => `${count} laufen`,
      done: (count) => `${count} fertig`,
      failed: (count) => `${count} fehlgeschlagen`,
      denied: (count) => `${count} abgelehnt`,
    },
    shortened: (shown, all) => `Die ersten ${shown} von ${all} Zeichen`,
    shortenedByServer: "Der Rest wurde weggelassen.",
    showAll: "Alles anzeigen",
    loadFailed: (reason) => `Der Rest ließ sich nicht laden: ${reason}`,
    copyValue: (name) => `${name} kopieren`,
    items: (count) => `${count} Einträge`,
    item: "1 Eintrag",
    changed: "Die Argumente wurden von Hand geändert.",
    child: (agent) => `Arbeit von ${agent}`,
    childFailed: (reason) => `Das ließ sich nicht laden: ${reason}`,
    imageFailed: (reason) => `Das Bild ließ sich nicht laden: ${reason}`,
    download: (name) => `${name} herunterladen`,
    file: "Datei",
    image: (number) => `Bild ${number} des Ergebnisses`,
    rows: (shown, all) => `Die ersten ${shown} von ${all} Zeilen`,
    sources: "Quellen",
  },
  interaction: {
    open: "Unterhaltung öffnen",
    approval: (tool) => `Darf ${tool} ausgeführt werden?`,
    question: (tool) => `Frage von ${tool}`,
    outcome: (tool) => `Hat der Aufruf von ${tool} gewirkt?`,
    outcomeText: "Der Server wurde angehalten, während der Aufruf lief. Zweimal darf er nicht laufen.",
    client: (tool) => `${tool} läuft in einem anderen Programm`,
    clientText: "Das Programm, das dieses Werkzeug anbietet, meldet das Ergebnis.",
    agent: "Agent",
    reason: "Grund",
    because: reasonInGerman,
    arguments: "Argumente",
    changes: "Änderungen",
    effect: "Wirkung",
    expires: (when) => `Läuft ${when} ab`,
    expired: "Die Zeit für diese Entscheidung ist um.",
    approve: "Einmal erlauben",
    approveSession: "In dieser Unterhaltung erlauben",
    approveAlways: "Immer erlauben",
    edit: "Bearbeiten",
    discard: "Änderungen verwerfen",
    editArguments: "Argumente als JSON",
    notJson: "Das ist kein gültiges JSON.",
    deny: "Ablehnen",
    note: "Anmerkung",
    answer: "Antwort",
    submit: "Antworten",
    decline: "Nicht antworten",
    json: "Antwort als JSON",
    yes: "Ja",
    no: "Nein",
    choose: "Auswählen…",
    optional: "optional",
    took: "Er hat gewirkt",
    tookNot: "Er hat nicht gewirkt",
    retry: "Erneut ausführen",
    unknown: "Ich weiß es nicht",
    late: "Das wurde schon woanders entschieden, oder es ist zu spät.",
    decided: (tool, decided, time) => `${tool}: ${DECIDED[decided](time)}`,
    problem: (problem) => {
      switch (problem.kind) {
        case "missing":
          return "Hier fehlt eine Antwort.";
        case "number":
          return "Das ist keine Zahl.";
        case "integer":
          return "Das ist keine ganze Zahl.";
        case "least":
          return `Der kleinste Wert ist ${problem.limit}.`;
        case "most":
          return `Der größte Wert ist ${problem.limit}.`;
        case "short":
          return `Mindestens ${problem.limit} Zeichen sind nötig.`;
        case "long":
          return `Höchstens ${problem.limit} Zeichen sind möglich.`;
        case "json":
          return "Das ist kein gültiges JSON.";
        case "refused":
          return problem.reason;
      }
    },
  },
};

const DECIDED: Record<Decided, (time: string) => string> = {
  approved: (time) => `woanders erlaubt (${time}).`,
  denied: (time) => `woanders abgelehnt (${time}).`,
  answered: (time) => `woanders beantwortet (${time}).`,
  expired: () => "nicht rechtzeitig entschieden und nicht ausgeführt.",
  withdrawn: () => "keine Entscheidung mehr nötig, die Antwort wurde gestoppt.",
  other: (time) => `woanders entschieden (${time}).`,
};
