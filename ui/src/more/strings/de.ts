import { formatBytes } from "../bytes";
import type { MoreStrings } from "./en";

const KINDS = { image: "Bild", document: "PDF", text: "Text" };

/** The texts of this part of the page in German. */
export const de: MoreStrings = {
  files: {
    title: "Dateien der Nachricht",
    uploading: "wird hochgeladen…",
    retry: "Erneut versuchen",
    remove: (name) => `${name} entfernen`,
    failed: (reason) => `Das Hochladen hat nicht geklappt: ${reason}`,
    tooMany: (most) => `Eine Nachricht hat höchstens ${most} Dateien.`,
    refused: (refusal) => {
      if (typeof refusal === "object") {
        return `Zu groß: Ein ${KINDS[refusal.tooLarge]} darf ${formatBytes(refusal.limit)} haben.`;
      }
      if (refusal === "heic") return "Modelle lesen kein HEIC und AVIF. Als JPEG oder PNG gespeichert klappt es.";
      if (refusal === "svg") return "Modelle sehen kein SVG. Als PNG gespeichert klappt es.";
      if (refusal === "empty") return "Die Datei ist leer oder nicht lesbar.";
      return "Solche Dateien lesen Modelle nicht. Möglich sind PNG, JPEG, GIF, WebP, PDF und reiner Text.";
    },
  },
  composer: {
    attach: "Dateien anhängen",
    options: "Optionen",
    undo: (choice) => `Entfernen: ${choice}`,
    thinking: (level) => `Nachdenken: ${level}`,
    levels: { off: "aus", low: "wenig", medium: "mittel", high: "viel", max: "so viel wie möglich" },
    noTools: "Ohne Werkzeuge",
    commands: "Befehle",
    drop: "Dateien hier ablegen",
    aboutFiles: "Was soll mit den Dateien geschehen?",
    tooLong: "Dieser Text ist mit mehr als 256 KiB zu lang für eine Nachricht. Er bleibt in der Zwischenablage.",
  },
  options: {
    title: "Für die nächsten Nachrichten dieser Unterhaltung",
    agent: "Agent",
    model: "Modell",
    thinking: "Nachdenken",
    tools: "Werkzeuge",
    asAgent: "Wie üblich",
    withTools: "Wie üblich",
    withoutTools: "Aus",
  },
  commands: {
    descriptions: {
      new: "Eine neue Unterhaltung beginnen",
      compact: "Frühere Nachrichten zusammenfassen lassen",
      export: "Diese Unterhaltung als Markdown speichern",
      rename: "Dieser Unterhaltung einen anderen Titel geben",
      help: "Die Tastenkürzel der Seite anzeigen",
    },
  },
  sessions: {
    pinned: "Angeheftet",
    today: "Heute",
    yesterday: "Gestern",
    unread: "Neu seit dem letzten Blick",
    rename: "Umbenennen",
    renameTitle: "Unterhaltung umbenennen",
    name: "Titel",
    save: "Speichern",
    delete: "Löschen",
    deleted: (title) => `„${title}“ wurde gelöscht.`,
    undo: "Rückgängig",
    more: "Mehr",
    pin: "Anheften",
    unpin: "Loslösen",
    archive: "Archivieren",
    unarchive: "Aus dem Archiv holen",
    archiveTitle: "Archiv",
    archiveEmpty: "Das Archiv ist leer.",
    exportMarkdown: "Als Markdown speichern",
    exportLines: "Als JSON Lines speichern, zum Importieren",
    import: "Unterhaltung importieren",
    file: "Unterhaltung",
  },
  keys: {
    control: "Strg",
    shift: "Umschalt",
    message: "In der Nachricht",
    send: "Senden; während einer Antwort deren Ende abwarten",
    steer: "In die laufende Antwort einwerfen",
    line: "Neue Zeile",
    stop: "Antwort stoppen",
    commands: "Befehle",
    page: "Überall",
    sessions: "Zu einer Unterhaltung springen",
    new: "Neue Unterhaltung",
    sheet: "Diese Liste",
  },
  notifications: {
    ended: "Die Antwort ist fertig.",
    needsYou: "Eine Entscheidung wartet auf dich.",
  },
  offline: {
    title: "Kein Modell ist eingerichtet",
    explanation:
      "Es antwortet der Offline-Responder: Er rechnet, kennt die Uhrzeit und wiederholt alles andere. Ergänze diese Zeilen in turnkit.toml und starte den Server neu.",
    vendor: "Anbieter",
    other: "Andere Adresse",
    address: "Adresse",
    wire: "Protokoll",
    model: "Modell",
    key: "Variable mit dem API-Schlüssel",
    lines: "Zeilen für turnkit.toml",
  },
  settings: {
    theme: "Farben",
    themes: { auto: "Wie das System", light: "Hell", dark: "Dunkel" },
    density: "Abstände",
    densities: { comfortable: "Großzügig", compact: "Kompakt" },
    language: "Sprache",
    sendKey: "Nachrichten senden mit",
    sendKeys: { enter: "Eingabetaste", ctrl_enter: "Strg- oder ⌘-Eingabetaste" },
    notifications: "Benachrichtigen, wenn bei verdeckter Seite eine Antwort fertig ist oder eine Entscheidung wartet",
    forbidden:
      "Der Browser erlaubt dieser Seite keine Benachrichtigungen. Das lässt sich in seinen Einstellungen für diese Seite ändern.",
    api: "Adressen des Servers",
    native: "API",
    example: "Beispiel einer Anfrage",
    build: (build) => `Stand ${build}`,
    page: "Über diese Seite",
    licences: "Lizenzen",
  },
};
