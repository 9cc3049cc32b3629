// src/css/more.css
var more_default = '/* What is in the part of the page with the same name, and is loaded with it. */\n\n.menu {\n  position: fixed;\n  inset-block-start: 0;\n  inset-inline-start: 0;\n  inline-size: max-content;\n  z-index: 3;\n  min-inline-size: 12rem;\n  max-inline-size: calc(100vw - 1rem);\n  max-block-size: calc(100dvh - 1rem);\n  overflow: auto;\n}\n\n.menu button {\n  flex: none;\n  justify-content: flex-start;\n  border-color: transparent;\n  text-align: start;\n}\n\n.toasts {\n  position: fixed;\n  inset-block-end: 1rem;\n  inset-inline: 1rem;\n  z-index: 4;\n  display: grid;\n  gap: 0.5rem;\n  place-items: center;\n  pointer-events: none;\n}\n\n.toast {\n  display: flex;\n  align-items: center;\n  gap: 1rem;\n  max-inline-size: 100%;\n  padding-block: 0.5rem;\n  padding-inline: 1rem 0.5rem;\n  border-radius: var(--radius);\n  background: var(--text);\n  color: var(--back);\n  pointer-events: auto;\n}\n\n.toast span {\n  overflow: hidden;\n  max-block-size: 4.7em;\n}\n\n.toast button {\n  flex: none;\n  border-color: currentColor;\n  background: none;\n}\n\n.keys {\n  inline-size: 100%;\n  border-collapse: collapse;\n}\n\n.keys caption {\n  padding-block-end: 0.3rem;\n  font-weight: 600;\n  text-align: start;\n}\n\n.keys th,\n.keys td {\n  padding: 0.3rem 0;\n  border-block-start: 1px solid var(--line);\n  font-weight: 400;\n  text-align: start;\n  vertical-align: top;\n}\n\n.keys th {\n  inline-size: min(11rem, 45%);\n}\n\nkbd {\n  display: inline-block;\n  margin-inline-end: 0.25rem;\n  padding: 0.05rem 0.45rem;\n  border: 1px solid var(--line-strong);\n  border-radius: 0.35rem;\n  font: 0.85rem var(--mono);\n}\n\n.settings > * {\n  flex: none;\n}\n\n.settings h2 {\n  margin-block-start: 0.75rem;\n}\n\n.addresses {\n  display: flex;\n  flex-direction: column;\n  gap: 0.25rem;\n  margin: 0;\n}\n\n.addresses div,\n.addresses dd {\n  display: flex;\n  flex-wrap: wrap;\n  align-items: center;\n  gap: 0 0.75rem;\n  margin: 0;\n}\n\n.addresses dt {\n  min-inline-size: 5rem;\n}\n\n.chat-header > .icon-button {\n  position: absolute;\n  inset-block-start: 0.45rem;\n  inset-inline-end: 0.5rem;\n}\n\n/* What the next request would hold. */\n.context {\n  display: flex;\n  flex-direction: column;\n  gap: 0.9rem;\n}\n\n.context-total strong {\n  font-size: 1.5rem;\n  font-variant-numeric: tabular-nums;\n}\n\n.context-meter {\n  display: flex;\n  gap: 2px;\n  block-size: 0.9rem;\n  overflow: hidden;\n  border-radius: var(--radius);\n}\n\n.context-meter span {\n  flex: 1 1 0;\n  min-inline-size: 2px;\n}\n\n.context-key {\n  flex: none;\n  inline-size: 0.75rem;\n  block-size: 0.75rem;\n  border-radius: 0.2rem;\n}\n\n.context-key,\n.context-meter span {\n  background: var(--accent);\n  forced-color-adjust: none;\n}\n\n.context .context-tools {\n  background: light-dark(#c77700, #ffc37a);\n}\n\n.context .context-messages {\n  background: light-dark(#2e8b57, #86d8a2);\n}\n\n.context .context-answer {\n  background: var(--line-strong);\n}\n\n.context .context-free {\n  background: var(--back-raised);\n  box-shadow: inset 0 0 0 1px var(--line-strong);\n}\n\n.context-meter .context-free {\n  border-start-end-radius: var(--radius);\n  border-end-end-radius: var(--radius);\n}\n\n.context-parts {\n  inline-size: 100%;\n  border-collapse: collapse;\n  font-size: 0.9rem;\n}\n\n.context-parts :is(th, td) {\n  padding-block: 0.3rem;\n  border-block-end: 1px solid var(--line);\n  font-weight: 400;\n  text-align: start;\n}\n\n.context-parts :is(td, th + th) {\n  padding-inline-start: 0.75rem;\n  font-variant-numeric: tabular-nums;\n  text-align: end;\n}\n\n.context-parts thead th {\n  color: var(--text-quiet);\n  font-size: 0.8rem;\n}\n\n.context-parts th > .context-key {\n  display: inline-block;\n  margin-inline-end: 0.5rem;\n}\n\n.context summary {\n  cursor: pointer;\n}\n\n.context-left-out {\n  padding-inline-start: 1.2rem;\n  font-size: 0.9rem;\n}\n\n.context-compaction {\n  display: flex;\n  flex-direction: column;\n  gap: 0.5rem;\n  align-items: flex-start;\n}\n\n.context [aria-disabled="true"] {\n  cursor: default;\n  opacity: 0.55;\n}\n\n.sign-in {\n  display: grid;\n  place-items: center;\n  min-block-size: 100%;\n  padding: 1rem;\n}\n\n.sign-in form {\n  display: flex;\n  flex-direction: column;\n  gap: 1rem;\n  inline-size: min(24rem, 100%);\n}\n\n/* On a phone, the context is a sheet. */\n@media (width < 45rem) {\n  dialog:has(.context) {\n    inline-size: 100%;\n    max-inline-size: none;\n    margin-block-end: 0;\n    border-inline: 0;\n    border-block-end: 0;\n    border-end-start-radius: 0;\n    border-end-end-radius: 0;\n  }\n\n  dialog:has(.context) .dialog {\n    padding-block-end: max(1rem, env(safe-area-inset-bottom));\n  }\n}\n\n.screen > .buttons [aria-pressed="true"] {\n  border-color: var(--accent);\n  background: var(--back-user);\n}\n\n/* What only a background shows is shown by lines. */\n@media (forced-colors: active) {\n  .screen > .buttons [aria-pressed="true"] {\n    outline: 2px solid;\n  }\n}\n';

// src/later/styles.ts
function addStyles(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

// src/more/attention.ts
import { effect } from "./vendor.js";
import { access, addressOf, badge, connection, loadNeeds, needs, removing, sessions, strings } from "./app.js";

// src/more/preferences.ts
import { signal } from "./vendor.js";
import { load, save } from "./app.js";
var DENSITIES = ["comfortable", "compact"];
var DENSITY = "turnkit.density";
var NOTIFICATIONS = "turnkit.notifications";
var density = signal(load(DENSITY) === "compact" ? "compact" : "comfortable");
var notifies = signal(load(NOTIFICATIONS) === "on");
function chooseDensity(chosen) {
  density.value = chosen;
  document.documentElement.dataset.density = chosen;
  save(DENSITY, chosen === "comfortable" ? void 0 : chosen);
}
function chooseNotifications(wanted2) {
  notifies.value = wanted2;
  save(NOTIFICATIONS, wanted2 ? "on" : void 0);
}

// src/more/running.ts
import { signal as signal2 } from "./vendor.js";
import { client } from "./app.js";
var running = signal2(/* @__PURE__ */ new Set());
async function loadRunning() {
  const found = await client.all("api/v1/turns", { state: "running" });
  const now = new Set(found.data.map((turn) => turn.session_id));
  const have = running.peek();
  if (now.size !== have.size || [...have].some((session) => !now.has(session))) running.value = now;
}
function noteRunning(session, isRunning) {
  const have = running.peek();
  if (have.has(session) === isRunning) return;
  const others = [...have].filter((known2) => known2 !== session);
  running.value = new Set(isRunning ? [...others, session] : others);
}

// src/more/strings/index.ts
import { computed } from "./vendor.js";
import { language } from "./app.js";

// src/more/bytes.ts
import { locale } from "./app.js";
function formatBytes(bytes) {
  const units = ["byte", "kilobyte", "megabyte"];
  const power = bytes < 1e3 ? 0 : bytes < 1e6 ? 1 : 2;
  const unitDisplay = power === 0 ? "long" : "short";
  const options = { style: "unit", unit: units[power], unitDisplay, maximumFractionDigits: power };
  return new Intl.NumberFormat(locale.value, options).format(bytes / 1e3 ** power);
}

// src/more/strings/de.ts
var KINDS = { image: "Bild", document: "PDF", text: "Text" };
var de = {
  files: {
    title: "Dateien der Nachricht",
    uploading: "wird hochgeladen…",
    retry: "Erneut versuchen",
    remove: (name) => `${name} entfernen`,
    failed: (reason) => `Das Hochladen ist fehlgeschlagen: ${reason}`,
    tooMany: (most) => `Eine Nachricht hat höchstens ${most} Dateien.`,
    refused: (refusal) => {
      if (typeof refusal === "object") {
        return `Zu groß: Ein ${KINDS[refusal.tooLarge]} darf höchstens ${formatBytes(refusal.limit)} groß sein.`;
      }
      if (refusal === "heic") return "Modelle lesen HEIC und AVIF nicht. Speichern Sie das Bild als JPEG oder PNG.";
      if (refusal === "svg") return "Modelle sehen SVG nicht. Speichern Sie das Bild als PNG.";
      if (refusal === "empty") return "Die Datei ist leer oder nicht lesbar.";
      return "Solche Dateien lesen Modelle nicht. Möglich sind PNG, JPEG, GIF, WebP, PDF und reiner Text.";
    }
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
    tooLong: "Dieser Text ist mit mehr als 256 KiB zu lang für eine Nachricht. Er bleibt in der Zwischenablage."
  },
  options: {
    title: "Für die nächsten Nachrichten dieser Unterhaltung",
    agent: "Agent",
    model: "Modell",
    thinking: "Nachdenken",
    tools: "Werkzeuge",
    asAgent: "Wie üblich",
    withTools: "Wie üblich",
    withoutTools: "Aus"
  },
  commands: {
    descriptions: {
      new: "Eine neue Unterhaltung beginnen",
      compact: "Frühere Nachrichten zusammenfassen lassen",
      context: "Anzeigen, was die nächste Anfrage enthält",
      export: "Diese Unterhaltung als Markdown speichern",
      rename: "Dieser Unterhaltung einen anderen Titel geben",
      help: "Die Tastenkürzel der Seite anzeigen"
    }
  },
  sessions: {
    running: "läuft",
    pinned: "Angeheftet",
    today: "Heute",
    yesterday: "Gestern",
    unread: "Neu seit Ihrem letzten Besuch",
    rename: "Umbenennen",
    renameTitle: "Unterhaltung umbenennen",
    name: "Titel",
    save: "Speichern",
    delete: "Löschen",
    deleted: (title) => `„${title}“ wurde gelöscht.`,
    archived: (title) => `„${title}“ ist jetzt im Archiv.`,
    undo: "Rückgängig",
    more: "Mehr",
    actions: "Aktionen für diese Unterhaltung",
    pin: "Anheften",
    unpin: "Nicht mehr anheften",
    archive: "Archivieren",
    unarchive: "Aus dem Archiv holen",
    archiveTitle: "Archiv",
    archiveEmpty: "Das Archiv ist leer.",
    exportMarkdown: "Als Markdown speichern",
    exportLines: "Als JSON Lines speichern, für einen späteren Import",
    import: "Unterhaltung importieren",
    file: "Unterhaltung"
  },
  turns: {
    edit: "Bearbeiten",
    editing: "Nachricht bearbeiten",
    text: "Geänderter Text",
    send: "Senden",
    retry: "Neu antworten lassen",
    link: "Link kopieren",
    timeline: "Zeitverlauf",
    cut: "Der Rest dieses Textes wurde weggelassen.",
    showAll: "Alles anzeigen",
    restFailed: (reason) => `Der Rest ließ sich nicht laden: ${reason}`,
    versions: "Fassungen",
    previous: "Vorige Fassung",
    next: "Nächste Fassung",
    version: (number, all) => `${number} von ${all}`,
    busy: "Es wird gerade geantwortet. Warten Sie das Ende der Antwort ab, oder stoppen Sie sie.",
    firstToken: (seconds) => `erste Ausgabe nach ${seconds}`,
    duration: (seconds) => `Dauer ${seconds}`,
    tokens: (count) => `${count} Token`,
    unpriced: "Preis unbekannt"
  },
  notices: {
    plain: {
      redone: "Eine abgebrochene Antwort wurde neu geschrieben.",
      compacted: "Eine Zusammenfassung ersetzt frühere Nachrichten.",
      nothing_to_compact: "Es gab nichts zusammenzufassen.",
      results_pruned: "Inhalte früherer Werkzeugergebnisse werden nicht mehr an das Modell gesendet.",
      asked_without_tools: "Das Modell kennt keine Werkzeuge und hat ohne sie geantwortet.",
      retried_without_tools: "Das Modell kennt keine Werkzeuge und hat ohne sie geantwortet.",
      asked_without_images: "Das Modell sieht keine Bilder und hat ohne sie geantwortet.",
      retried_without_images: "Das Modell sieht keine Bilder und hat ohne sie geantwortet.",
      asked_without_files: "Das Modell liest keine Dateien und hat ohne sie geantwortet.",
      retried_without_files: "Das Modell liest keine Dateien und hat ohne sie geantwortet.",
      max_tool_rounds: "Die Höchstzahl der Schritte mit Werkzeugen ist erreicht."
    },
    detailed: {
      failed_over: "Ein anderer Anbieter hat geantwortet, weil der erste ausgefallen ist.",
      asked_another_model: "Ein anderes als das gewünschte Modell hat geantwortet.",
      asked_without_temperature: "Das Modell nimmt keine Temperatur an.",
      asked_without_stop: "Das Modell nimmt keine Stoppwörter an.",
      asked_without_thinking: "Das Modell hat nicht wie gewünscht nachgedacht.",
      tool_left_out: "Ein Werkzeug wurde weggelassen.",
      tools_missing: "Es fehlten Werkzeuge.",
      tool_allowed: "Ein Werkzeug lief ohne Rückfrage.",
      context_failed: "Eine Quelle von Anweisungen ist ausgefallen. Die Antwort kommt ohne sie aus.",
      context_cut: "Anweisungen wurden gekürzt oder weggelassen.",
      history_truncated: "Die ältesten Nachrichten werden nicht mehr an das Modell gesendet.",
      truncated_after_overflow: "Die ältesten Nachrichten werden nicht mehr an das Modell gesendet.",
      compaction_failed: "Frühere Nachrichten ließen sich nicht zusammenfassen.",
      budget_nearly_used_up: "Ein Budget ist fast aufgebraucht.",
      budget_used_up: "Ein Budget ist aufgebraucht.",
      context_overflow: "Die Unterhaltung ist zu lang für das Modell."
    }
  },
  context: {
    open: "Kontext…",
    title: "Kontext der nächsten Anfrage",
    tokens: "Token",
    ofTokens: (limit, share) => `von ${limit} Token (${share})`,
    meter: "Kontext",
    meterText: (used, limit) => `${used} von ${limit} Token`,
    noLimit: "Wie groß eine Anfrage an das Modell sein darf, ist nicht bekannt.",
    tooLarge: "Das ist mehr, als das Modell annimmt. Vor der nächsten Antwort werden frühere Nachrichten zusammengefasst oder weggelassen.",
    parts: "Teile der nächsten Anfrage",
    part: "Teil",
    count: "Token",
    share: "Anteil",
    free: "Frei",
    pieces: "Anweisungen und Werkzeuge im Einzelnen",
    source: "Quelle",
    estimated: "Die Größen der Teile sind geschätzt. Die Summe beruht auf der Zählung des Anbieters, soweit es eine gibt.",
    leftOut: "Gekürzt oder weggelassen",
    shortened: (from, to) => `von ${from} auf ${to} Token gekürzt.`,
    dropped: (from) => `weggelassen (${from} Token).`,
    reasons: {
      cap: "Der Teil ist länger als seine Obergrenze.",
      budget: "Alle Teile dieser Art überschreiten zusammen ihre Obergrenze.",
      room: "Die Anfrage wäre damit zu groß."
    },
    compact: "Frühere Nachrichten zusammenfassen",
    compacting: "Frühere Nachrichten werden zusammengefasst…",
    kinds: {
      constraints: "Regeln",
      system: "Anweisungen",
      bootstrap: "Dateien mit Anweisungen",
      memory: "Gedächtnis",
      knowledge: "Wissen",
      skills: "Fähigkeiten",
      tools: "Hinweise zu Werkzeugen",
      status: "Status",
      tool: "Werkzeuge",
      history: "Nachrichten",
      reserve: "Platz für die Antwort"
    }
  },
  position: {
    label: "Position in der Unterhaltung",
    turnOf: (number, all) => `Durchlauf ${number} von ${all}`,
    goTo: "Zu Durchlauf springen",
    first: "Zum ersten Durchlauf",
    last: "Zum letzten Durchlauf"
  },
  keys: {
    control: "Strg",
    shift: "Umschalt",
    message: "In der Nachricht",
    send: "Senden; während einer Antwort deren Ende abwarten",
    steer: "An die laufende Antwort senden",
    line: "Neue Zeile",
    stop: "Antwort stoppen",
    commands: "Befehle",
    edit: "Letzte Nachricht bearbeiten, wenn das Feld leer ist",
    session: "In einer Unterhaltung",
    page: "Überall",
    sessions: "Zu einer Unterhaltung springen",
    new: "Neue Unterhaltung",
    turns: "Nächster, voriger Durchlauf",
    search: "Die Unterhaltung durchsuchen",
    rail: "Liste der Unterhaltungen ein- oder ausblenden",
    sheet: "Diese Liste"
  },
  notifications: {
    ended: "Die Antwort ist fertig.",
    needsYou: "Eine Entscheidung wartet auf Sie."
  },
  offline: {
    title: "Es ist kein Modell eingerichtet",
    explanation: "Es antwortet der Offline-Responder: Er rechnet, kennt die Uhrzeit und wiederholt alles andere. Ergänzen Sie diese Zeilen in turnkit.toml, und starten Sie den Server neu. Unterhaltungen werden dann im Ordner data neben dieser Datei gespeichert.",
    vendor: "Anbieter",
    other: "Andere Adresse",
    address: "Adresse",
    wire: "Protokoll",
    model: "Modell",
    key: "Variable mit dem API-Schlüssel",
    lines: "Zeilen für turnkit.toml",
    // Without a model, only calculations and English questions are understood.
    suggestions: ["(17 + 25) * 3 = ?", "2^10 = ?", "What day is it today?"]
  },
  signIn: {
    key: "API-Schlüssel",
    token: "Zugriffstoken",
    keyOrToken: "API-Schlüssel oder Zugriffstoken",
    stay: "Auf diesem Gerät angemeldet bleiben",
    submit: "Anmelden",
    explanation: "Schlüssel erzeugt der Betreiber des Servers mit"
  },
  settings: {
    theme: "Farbschema",
    themes: { auto: "Wie das System", light: "Hell", dark: "Dunkel" },
    density: "Abstände",
    densities: { comfortable: "Großzügig", compact: "Kompakt" },
    language: "Sprache",
    sendKey: "Nachrichten senden mit",
    sendKeys: { enter: "Eingabetaste", ctrl_enter: "Strg- oder ⌘-Eingabetaste" },
    notifications: "Benachrichtigen, wenn eine Antwort fertig ist oder eine Entscheidung ansteht, während die Seite verdeckt ist",
    forbidden: "Der Browser erlaubt dieser Seite keine Benachrichtigungen. Das lässt sich in seinen Einstellungen für diese Seite ändern.",
    api: "Adressen des Servers",
    native: "API",
    example: "Beispiel einer Anfrage",
    build: (build) => `Stand ${build}`,
    page: "Über diese Seite",
    licences: "Lizenzen",
    signOut: "Abmelden"
  }
};

// src/more/strings/en.ts
var KINDS2 = { image: "an image", document: "a PDF", text: "a text" };
var en = {
  files: {
    title: "Files of the message",
    uploading: "uploading…",
    retry: "Try again",
    remove: (name) => `Remove ${name}`,
    failed: (reason) => `The upload failed: ${reason}`,
    tooMany: (most) => `A message can have at most ${most} files.`,
    refused: (refusal) => {
      if (typeof refusal === "object")
        return `Too large: ${KINDS2[refusal.tooLarge]} can be at most ${formatBytes(refusal.limit)}.`;
      if (refusal === "heic") return "Models do not read HEIC and AVIF. Save the image as JPEG or PNG.";
      if (refusal === "svg") return "Models do not see SVG. Save the image as PNG.";
      if (refusal === "empty") return "The file is empty, or it cannot be read.";
      return "Models do not read this kind of file. Use PNG, JPEG, GIF, WebP, PDF or plain text.";
    }
  },
  composer: {
    attach: "Attach files",
    options: "Options",
    undo: (choice) => `Remove: ${choice}`,
    thinking: (level) => `Thinking: ${level}`,
    levels: { off: "off", low: "low", medium: "medium", high: "high", max: "maximum" },
    noTools: "No tools",
    commands: "Commands",
    drop: "Drop files here",
    aboutFiles: "What should happen with the files?",
    tooLong: "This text is larger than 256 KiB, the limit of a message. It is still on the clipboard."
  },
  options: {
    title: "For the next messages of this session",
    agent: "Agent",
    model: "Model",
    thinking: "Thinking",
    tools: "Tools",
    asAgent: "Default",
    withTools: "Default",
    withoutTools: "Off"
  },
  commands: {
    descriptions: {
      new: "Start a new session",
      compact: "Summarise earlier messages",
      context: "Show what the next request would contain",
      export: "Save this session as Markdown",
      rename: "Rename this session",
      help: "Show keyboard shortcuts"
    }
  },
  sessions: {
    running: "running",
    pinned: "Pinned",
    today: "Today",
    yesterday: "Yesterday",
    unread: "New since you looked",
    rename: "Rename",
    renameTitle: "Rename session",
    name: "Title",
    save: "Save",
    delete: "Delete",
    deleted: (title) => `“${title}” was deleted.`,
    archived: (title) => `“${title}” was archived.`,
    undo: "Undo",
    more: "More",
    actions: "Actions for this session",
    pin: "Pin",
    unpin: "Unpin",
    archive: "Archive",
    unarchive: "Unarchive",
    archiveTitle: "Archive",
    archiveEmpty: "The archive is empty.",
    exportMarkdown: "Save as Markdown",
    exportLines: "Save as JSON Lines, which can be imported",
    import: "Import a session",
    file: "session"
  },
  turns: {
    edit: "Edit",
    editing: "Edit the message",
    text: "Edited text",
    send: "Send",
    retry: "Retry",
    link: "Copy link",
    timeline: "Timeline",
    cut: "The rest of this text was left out.",
    showAll: "Show all",
    restFailed: (reason) => `The rest could not be loaded: ${reason}`,
    versions: "Versions",
    previous: "Previous version",
    next: "Next version",
    version: (number, all) => `${number} of ${all}`,
    busy: "An answer is in progress. Wait until it ends, or stop it.",
    firstToken: (seconds) => `first output after ${seconds}`,
    duration: (seconds) => `took ${seconds}`,
    tokens: (count) => `${count} tokens`,
    unpriced: "price unknown"
  },
  /** What happened in a turn, by the codes of the server. */
  notices: {
    plain: {
      redone: "An interrupted answer was written again.",
      compacted: "A summary takes the place of earlier messages.",
      nothing_to_compact: "There was nothing to summarise.",
      results_pruned: "Contents of earlier tool results are no longer sent to the model.",
      asked_without_tools: "The model does not support tools, so it answered without them.",
      retried_without_tools: "The model does not support tools, so it answered without them.",
      asked_without_images: "The model does not support images, so it answered without them.",
      retried_without_images: "The model does not support images, so it answered without them.",
      asked_without_files: "The model does not support files, so it answered without them.",
      retried_without_files: "The model does not support files, so it answered without them.",
      max_tool_rounds: "The limit of steps with tools was reached."
    },
    /** Sentences to which the server adds what it was. */
    detailed: {
      failed_over: "Another provider answered, because the first one failed.",
      asked_another_model: "A different model from the one requested answered.",
      asked_without_temperature: "The model does not support a temperature.",
      asked_without_stop: "The model does not support stop sequences.",
      asked_without_thinking: "The model did not think as requested.",
      tool_left_out: "A tool was left out.",
      tools_missing: "Tools were missing.",
      tool_allowed: "A tool call ran without approval.",
      context_failed: "A source of instructions failed, so the answer was written without it.",
      context_cut: "Instructions were shortened or left out.",
      history_truncated: "The oldest messages are no longer sent to the model.",
      truncated_after_overflow: "The oldest messages are no longer sent to the model.",
      compaction_failed: "Earlier messages could not be summarised.",
      budget_nearly_used_up: "A budget is nearly used up.",
      budget_used_up: "A budget is used up.",
      context_overflow: "The session is too long for the model."
    }
  },
  context: {
    open: "Context…",
    title: "Context of the next request",
    tokens: "tokens",
    ofTokens: (limit, share) => `of ${limit} tokens (${share})`,
    meter: "Context",
    meterText: (used, limit) => `${used} of ${limit} tokens`,
    noLimit: "The context window of this model is not known.",
    tooLarge: "This is more than the model accepts. Before the next answer, earlier messages are summarised or left out.",
    parts: "Parts of the next request",
    part: "Part",
    count: "Tokens",
    share: "Share",
    free: "Free",
    pieces: "Instructions and tools one by one",
    source: "Source",
    estimated: "The sizes of the parts are estimates. The total is the provider's count as far as there is one.",
    leftOut: "Shortened or left out",
    shortened: (from, to) => `shortened from ${from} to ${to} tokens.`,
    dropped: (from) => `left out (${from} tokens).`,
    reasons: {
      cap: "It is longer than its own limit.",
      budget: "Together, the parts of this kind exceed their limit.",
      room: "It does not fit into the request."
    },
    compact: "Summarise earlier messages",
    compacting: "Earlier messages are being summarised…",
    kinds: {
      constraints: "Rules",
      system: "Instructions",
      bootstrap: "Files with instructions",
      memory: "Memory",
      knowledge: "Knowledge",
      skills: "Skills",
      tools: "Notes about tools",
      status: "Status",
      tool: "Tools",
      history: "Messages",
      reserve: "Room for the answer"
    }
  },
  position: {
    label: "Position in the session",
    turnOf: (number, all) => `Turn ${number} of ${all}`,
    goTo: "Go to turn",
    first: "Go to the first turn",
    last: "Go to the last turn"
  },
  keys: {
    control: "Ctrl",
    shift: "Shift",
    message: "In the message",
    send: "Send; while an answer is running, queue",
    steer: "Steer the running answer",
    line: "New line",
    stop: "Stop the answer",
    commands: "Commands",
    edit: "Edit the last message, if the field is empty",
    session: "In a session",
    page: "Anywhere",
    sessions: "Go to a session",
    new: "New session",
    turns: "Next turn, previous turn",
    search: "Search the session",
    rail: "Show or hide the list of sessions",
    sheet: "Show this list"
  },
  notifications: {
    ended: "The answer has ended.",
    needsYou: "A decision is waiting for you."
  },
  offline: {
    title: "No model is configured",
    explanation: "The offline responder answers: it calculates, knows the time, and repeats everything else. Add these lines to turnkit.toml, and start the server again. Sessions are then stored in the folder data beside that file.",
    vendor: "Vendor",
    other: "Another address",
    address: "Address",
    wire: "Protocol",
    model: "Model",
    key: "Variable with the API key",
    lines: "Lines for turnkit.toml",
    /** What calls a tool also without a model. */
    suggestions: ["What is 12.5% of 840?", "What day is it today?", "What time is it in Tokyo?"]
  },
  signIn: {
    key: "API key",
    token: "Access token",
    keyOrToken: "API key or access token",
    stay: "Stay signed in on this device",
    submit: "Sign in",
    explanation: "The operator of the server creates keys with"
  },
  settings: {
    theme: "Theme",
    themes: { auto: "System", light: "Light", dark: "Dark" },
    density: "Density",
    densities: { comfortable: "Comfortable", compact: "Compact" },
    language: "Language",
    sendKey: "Send messages with",
    sendKeys: { enter: "Enter", ctrl_enter: "Ctrl-Enter or ⌘-Enter" },
    notifications: "Notify me when an answer ends or needs me while the page is hidden",
    forbidden: "The browser does not permit notifications from this page. Its settings for this site can change that.",
    api: "Addresses of the server",
    native: "API",
    example: "Example of a request",
    build: (build) => `Build ${build}`,
    page: "About this page",
    licences: "Licences",
    signOut: "Sign out"
  }
};

// src/more/strings/index.ts
var TABLES = { en, de };
var words = computed(() => TABLES[language.value]);

// src/more/attention.ts
var ASKING_MS = 3e4;
function watchAttention() {
  let ran = /* @__PURE__ */ new Set();
  let asked = /* @__PURE__ */ new Set();
  effect(() => {
    const now = running.value;
    for (const session of ran) {
      if (!now.has(session) && !removing.peek().includes(session)) report(session, words.peek().notifications.ended);
    }
    ran = now;
  });
  effect(() => {
    const now = needs.value;
    for (const { id, session_id } of now) {
      if (!asked.has(id)) report(session_id, words.peek().notifications.needsYou);
    }
    asked = new Set(now.map(({ id }) => id));
  });
  const look2 = () => void loadRunning().catch(() => {
  });
  effect(() => {
    if (connection.value === "open") look2();
  });
  setInterval(() => {
    if (!document.hidden || !notifies.peek() || connection.peek() === "open" || access.peek() !== "open") return;
    look2();
    void loadNeeds().catch(() => {
    });
  }, ASKING_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) badge.value = 0;
  });
}
function report(session, text) {
  if (!document.hidden) return;
  badge.value = badge.peek() + 1;
  if (!notifies.peek() || typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const title = sessions.peek().find(({ id }) => id === session)?.title || strings.peek().sessions.untitled;
  try {
    const notification = new Notification(title, { body: text, tag: session });
    notification.onclick = () => {
      window.focus();
      location.hash = addressOf(session);
      notification.close();
    };
  } catch {
  }
}

// src/more/decisions.ts
import { effect as effect2 } from "./vendor.js";

// src/later/unsent.ts
import { load as load2, save as save2 } from "./app.js";
function loadUnsent(purpose, session, id) {
  try {
    const stored2 = JSON.parse(load2(nameOf(purpose, session, id)) ?? "{}");
    return typeof stored2 === "object" && stored2 !== null ? stored2 : {};
  } catch {
    return {};
  }
}
function saveUnsent(purpose, session, id, fields) {
  const json = JSON.stringify(fields);
  save2(nameOf(purpose, session, id), json === "{}" ? void 0 : json);
}
function forgetUnsent(session) {
  for (const purpose of ["edit", "decision"]) {
    const prefix = nameOf(purpose, session, "");
    for (const name of storedNames()) if (name.startsWith(prefix)) save2(name, void 0);
  }
}
function unsentDecisions() {
  return storedNames().flatMap((name) => {
    const [, session, id] = /^turnkit\.decision\.([^.]+)\.(.+)$/.exec(name) ?? [];
    return session && id ? [{ session, id }] : [];
  });
}
function storedNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
function nameOf(purpose, session, id) {
  return `turnkit.${purpose}.${session}.${id}`;
}

// src/more/decisions.ts
import { access as access2, ApiError, client as client2, needs as needs2 } from "./app.js";
function watchDecisions() {
  effect2(() => {
    if (access2.value !== "open") return;
    const open3 = new Set(needs2.value.map(({ id }) => id));
    for (const { session, id } of unsentDecisions()) {
      if (!open3.has(id)) void forgetDecided(session, id).catch(() => {
      });
    }
  });
}
async function forgetDecided(session, id) {
  if (await isOpen(id)) return;
  saveUnsent("decision", session, id, {});
}
async function isOpen(interaction) {
  try {
    const response = await client2.send("GET", `api/v1/interactions/${interaction}`);
    return !(await response.json()).decided;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

// src/more/seen.ts
import { effect as effect3, signal as signal3 } from "./vendor.js";
import { load as load3, route, save as save3, search, sessions as sessions2 } from "./app.js";
var KEY = "turnkit.seen";
var MOST = 200;
var seen = signal3(stored());
function isUnread(session) {
  const known2 = seen.value;
  return known2 !== void 0 && session.last_active > (known2.at[session.id] ?? known2.since);
}
function noteSeen(session) {
  const known2 = seen.peek();
  if (!known2 || session.last_active <= (known2.at[session.id] ?? known2.since)) return;
  const at = Object.entries({ ...known2.at, [session.id]: session.last_active });
  const kept = at.sort(([, a], [, b]) => a < b ? 1 : -1).slice(0, MOST);
  const since = at.slice(MOST).reduce((latest, [, time]) => time > latest ? time : latest, known2.since);
  write({ since, at: Object.fromEntries(kept) });
}
function watchSeen() {
  effect3(look);
  document.addEventListener("visibilitychange", look);
}
function look() {
  const all = sessions2.value;
  const shown = route.value;
  if (document.hidden || all.length === 0) return;
  const latest = all.reduce((latest2, { last_active }) => last_active > latest2 ? last_active : latest2, "");
  if (!seen.peek() && !search.value) write({ since: latest, at: {} });
  const session = shown.screen === "chat" && all.find(({ id }) => id === shown.session);
  if (session) noteSeen(session);
}
function write(changed) {
  seen.value = changed;
  save3(KEY, JSON.stringify(changed));
}
function stored() {
  try {
    const { since, at } = JSON.parse(load3(KEY) ?? "{}");
    return typeof since === "string" && typeof at === "object" && at !== null ? { since, at } : void 0;
  } catch {
    return void 0;
  }
}

// src/more/files/FileList.tsx
import { Icon } from "./app.js";

// src/more/MoreIcon.tsx
import { Drawing } from "./app.js";
import { jsx } from "./vendor.js";
var PATHS = {
  first: "M6 5h12M12 20V9m-5 5 5-5 5 5",
  last: "M6 19h12M12 4v11m-5-5 5 5 5-5",
  search: "M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM15 15l5 5",
  rename: "M4 20h4L19 9l-4-4L4 16z",
  turns: "M4 6h9M7 12h11M13 18h7",
  usage: "M5 20v-7M12 20V5M19 20v-11",
  providers: "M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01",
  tools: "M14 7a4 4 0 0 1 5-4l-2.5 2.5 2 2L21 5a4 4 0 0 1-5 5L8 18.5A2 2 0 0 1 5.5 15.5z",
  keys: "M15 9a4 4 0 1 1-4-4 4 4 0 0 1 4 4zM14 12l6 6v2h-3l-1.5-1.5",
  recordings: "M4 4h16v16H4zM9.5 12a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0",
  delete: "M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13",
  attach: "M20 11.5 12.5 19a5 5 0 0 1-7-7L13 4.5a3.3 3.3 0 0 1 4.7 4.7l-7.5 7.5a1.7 1.7 0 0 1-2.4-2.4l6.7-6.7",
  document: "M6 3h8l4 4v14H6zM14 3v4h4",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  dots: "M4.5 12h1M11.5 12h1M18.5 12h1"
};
function MoreIcon({ name }) {
  return /* @__PURE__ */ jsx(Drawing, { path: PATHS[name] });
}

// src/more/files/FileList.tsx
import { jsx as jsx2, jsxs } from "./vendor.js";
function FileList({ uploads }) {
  const list = uploads.list.value;
  if (list.length === 0) return null;
  return /* @__PURE__ */ jsx2("ul", { class: "files", "aria-label": words.value.files.title, children: list.map((upload) => /* @__PURE__ */ jsx2(FileChip, { upload, uploads }, upload.id)) });
}
function FileChip({ upload, uploads }) {
  const { files } = words.value;
  const { id, name, bytes, state, problem: problem2, preview } = upload;
  const isBad = state === "failed" || state === "refused";
  return /* @__PURE__ */ jsxs("li", { class: isBad ? "file bad" : "file", "aria-busy": state === "uploading", children: [
    preview ? /* @__PURE__ */ jsx2("img", { src: preview, alt: "" }) : /* @__PURE__ */ jsx2(MoreIcon, { name: "document" }),
    /* @__PURE__ */ jsxs("span", { class: "file-text", children: [
      /* @__PURE__ */ jsx2("bdi", { class: "file-name", title: name, children: name }),
      /* @__PURE__ */ jsxs("span", { class: "file-detail", children: [
        formatBytes(bytes),
        state === "uploading" && ` · ${files.uploading}`
      ] }),
      problem2 && /* @__PURE__ */ jsx2("span", { role: "alert", children: problem2 })
    ] }),
    state === "failed" && /* @__PURE__ */ jsx2("button", { type: "button", class: "quiet", onClick: () => uploads.retry(id), children: files.retry }),
    /* @__PURE__ */ jsx2("button", { type: "button", class: "icon-button", "aria-label": files.remove(name), onClick: () => uploads.remove(id), children: /* @__PURE__ */ jsx2(Icon, { name: "close" }) })
  ] });
}

// src/more/composer/CommandList.tsx
import { jsx as jsx3, jsxs as jsxs2 } from "./vendor.js";
function CommandList({ commands }) {
  const list = commands.list.value;
  if (list.length === 0) return null;
  return /* @__PURE__ */ jsx3("ul", { class: "commands", id: "commands", role: "listbox", "aria-label": words.value.composer.commands, children: list.map((command, index) => /* @__PURE__ */ jsxs2(
    "li",
    {
      id: optionId(index),
      role: "option",
      "aria-selected": index === commands.selected.value,
      onMouseDown: (event) => event.preventDefault(),
      onClick: () => commands.run(command),
      children: [
        /* @__PURE__ */ jsxs2("code", { children: [
          "/",
          command.name
        ] }),
        /* @__PURE__ */ jsx3("span", { children: command.description })
      ]
    },
    command.name
  )) });
}
function optionId(index) {
  return `command-${index}`;
}

// src/more/composer/useDrop.ts
import { useEffect, useState } from "./vendor.js";
function useDrop(extras) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal: signal12 } = listening;
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener(
      "dragover",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal: signal12 }
    );
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal: signal12 });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        if (extras.receive(event.dataTransfer) || hasFiles(event)) event.preventDefault();
      },
      { signal: signal12 }
    );
    return () => listening.abort();
  }, [extras]);
  return isOver;
}

// src/more/composer/AboveField.tsx
import { Fragment, jsx as jsx4, jsxs as jsxs3 } from "./vendor.js";
function AboveField({ extras }) {
  const isOver = useDrop(extras);
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    /* @__PURE__ */ jsx4(CommandList, { commands: extras.commands }),
    /* @__PURE__ */ jsx4(FileList, { uploads: extras.uploads }),
    isOver && /* @__PURE__ */ jsx4("p", { class: "drop", children: words.value.composer.drop })
  ] });
}

// src/more/composer/MessageExtras.ts
import { computed as computed3, effect as effect4, signal as signal8 } from "./vendor.js";

// src/state/uploads.ts
function uploadedFiles(list) {
  const wanted2 = list.filter((upload) => upload.state !== "refused");
  const files = wanted2.flatMap(({ file }) => file === void 0 ? [] : [file]);
  return files.length === wanted2.length ? files : void 0;
}

// src/more/files/MessageFiles.ts
import { signal as signal4 } from "./vendor.js";
import { client as client3, messageOf, newKey } from "./app.js";

// src/more/files/kind.ts
var LIMITS = { image: 5 * 1024 * 1024, document: 16 * 1024 * 1024, text: 256 * 1024 };
var HEAD_BYTES = 4096;
var BEGINNINGS = [
  [/^\x89PNG\r\n\x1a\n/, "image"],
  [/^\xff\xd8\xff/, "image"],
  [/^GIF8[79]a/, "image"],
  [/^RIFF[^]{4}WEBP/, "image"],
  [/^%PDF-/, "document"]
];
async function recognise(file) {
  if (file.size === 0) return "empty";
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const beginning = String.fromCharCode(...head.subarray(0, 32));
  const known2 = BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
  if (known2) return limited(known2, file);
  if (/^[^]{4}ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/.test(beginning)) return "heic";
  if (file.type === "image/svg+xml" || /\.svgz?$/i.test(file.name)) return "svg";
  if (!isText(head, { stream: true })) return "other";
  if (file.size > LIMITS.text) return limited("text", file);
  return isText(new Uint8Array(await file.arrayBuffer())) ? "text" : "other";
}
function limited(kind, file) {
  return file.size > LIMITS[kind] ? { tooLarge: kind, limit: LIMITS[kind] } : kind;
}
function isText(bytes, options = {}) {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}

// src/more/files/name.ts
import { withoutUnseen } from "./app.js";
var MOST2 = 80;
function safeName(name) {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const seen2 = withoutUnseen(last).trim();
  if (/^\.*$/.test(seen2)) return "file";
  if (seen2.length <= MOST2) return seen2;
  const ending = /\.[^.]{1,10}$/.exec(seen2)?.[0] ?? "";
  return `${[...seen2].slice(0, MOST2 - ending.length).join("")}${ending}`;
}

// src/more/files/store.ts
import { FILES_DATABASE } from "./app.js";
var STORE = "files";
async function storedFiles(session) {
  const all = await request("readonly", (store) => store.getAll());
  return (all ?? []).filter((stored2) => stored2.session === session).sort((a, b) => a.added - b.added);
}
async function storeFile(stored2) {
  await request("readwrite", (store) => store.put(stored2));
}
async function dropFile(id) {
  await request("readwrite", (store) => store.delete(id));
}
async function dropFiles(session) {
  for (const { id } of await storedFiles(session)) await dropFile(id);
}
async function request(mode, ask) {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  } catch {
    return void 0;
  }
}
var opened;
function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(FILES_DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onerror = () => reject(asked.error ?? new Error("refused"));
    asked.onblocked = () => reject(new Error("blocked"));
    asked.onsuccess = () => {
      const database = asked.result;
      database.onversionchange = () => database.close();
      database.onclose = () => {
        opened = void 0;
      };
      resolve(database);
    };
  });
  opened.catch(() => {
    opened = void 0;
  });
  return opened;
}

// src/more/files/MessageFiles.ts
var MOST3 = 20;
var UPLOAD_LASTS_MS = 20 * 60 * 60 * 1e3;
var PATIENCE_MS = 3e3;
var MessageFiles = class {
  list = signal4([]);
  isRestored = signal4(false);
  restored;
  #session;
  #kept = /* @__PURE__ */ new Map();
  #running = /* @__PURE__ */ new Map();
  #isClosed = false;
  constructor(session) {
    this.#session = session ?? "new";
    this.restored = this.#restore();
  }
  add(files) {
    for (const file of files) {
      const id = newKey();
      const name = safeName(file.name);
      this.list.value = [...this.list.value, { id, name, bytes: file.size, state: "uploading" }];
      if (this.list.value.filter(({ state }) => state !== "refused").length > MOST3) {
        this.#change(id, { state: "refused", problem: words.peek().files.tooMany(MOST3) });
        continue;
      }
      void this.#check(id, file, { id, name, session: this.#session, added: Date.now(), content: file });
    }
  }
  retry(id) {
    const stored2 = this.#kept.get(id);
    if (stored2) void this.#upload(stored2);
  }
  remove(id) {
    this.#running.get(id)?.abort();
    this.#forget(id);
    this.list.value = this.list.value.filter((upload) => upload.id !== id);
  }
  renew() {
    for (const stored2 of this.#kept.values()) void this.#upload(stored2);
  }
  clear() {
    for (const { id } of this.list.value) this.#forget(id);
    this.list.value = [];
  }
  close() {
    this.#isClosed = true;
    for (const { preview } of this.list.value) if (preview) URL.revokeObjectURL(preview);
  }
  async #restore() {
    const stored2 = await Promise.race([storedFiles(this.#session), nothingAfter(PATIENCE_MS)]);
    if (this.#isClosed) return;
    const restored = stored2.map(
      ({ id, name, content }) => ({ id, name, bytes: content.size, state: "uploading" })
    );
    this.list.value = [...restored, ...this.list.value];
    await Promise.all(stored2.map((file) => this.#resume(file)));
    this.isRestored.value = true;
  }
  async #resume(stored2) {
    this.#kept.set(stored2.id, stored2);
    const kind = await recognise(new File([stored2.content], stored2.name)).catch(() => "other");
    this.#preview(stored2, kind);
    const isThere = stored2.file !== void 0 && Date.now() - (stored2.uploaded ?? 0) < UPLOAD_LASTS_MS;
    if (isThere) this.#change(stored2.id, { state: "ready", file: stored2.file });
    else void this.#upload(stored2);
  }
  async #check(id, file, stored2) {
    const kind = await recognise(file).catch(() => "other");
    if (!this.#has(id)) return;
    const isKnown = kind === "image" || kind === "document" || kind === "text";
    if (!isKnown) return this.#change(id, { state: "refused", problem: words.peek().files.refused(kind) });
    this.#kept.set(id, stored2);
    this.#preview(stored2, kind);
    void storeFile(stored2);
    await this.#upload(stored2);
  }
  async #upload(stored2) {
    const { id } = stored2;
    const cancelling = new AbortController();
    this.#running.set(id, cancelling);
    this.#change(id, { state: "uploading", problem: void 0, file: void 0 });
    try {
      const uploaded = await client3.upload(stored2.name, stored2.content, cancelling.signal);
      if (!this.#has(id)) return;
      const renewed = { ...stored2, file: uploaded.id, uploaded: Date.now() };
      this.#kept.set(id, renewed);
      this.#change(id, { state: "ready", file: uploaded.id });
      await storeFile(renewed);
    } catch (error) {
      this.#change(id, { state: "failed", problem: words.peek().files.failed(messageOf(error)) });
    } finally {
      this.#running.delete(id);
    }
  }
  #preview({ id, content }, kind) {
    if (kind === "image" && !this.#isClosed) this.#change(id, { preview: URL.createObjectURL(content) });
  }
  #forget(id) {
    this.#kept.delete(id);
    const preview = this.list.peek().find((upload) => upload.id === id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    void dropFile(id);
  }
  #has(id) {
    return this.list.peek().some((upload) => upload.id === id);
  }
  #change(id, changed) {
    this.list.value = this.list.value.map(
      (upload) => upload.id === id ? { ...upload, ...changed } : upload
    );
  }
};
function nothingAfter(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, []));
}

// src/more/turns/edits.ts
import { signal as signal6 } from "./vendor.js";
import { ApiError as ApiError3, client as client8, messageOf as messageOf3, prepare, strings as strings3 } from "./app.js";

// src/more/composer/options.ts
import { load as load4, save as save4 } from "./app.js";
var THINKING = ["off", "low", "medium", "high", "max"];
function loadOptions(session) {
  try {
    const stored2 = JSON.parse(load4(nameOf2(session)) ?? "{}");
    if (typeof stored2 !== "object" || stored2 === null) return {};
    const { agent, model, thinking, tools } = stored2;
    const level = THINKING.find((level2) => level2 === thinking);
    return {
      ...typeof agent === "string" && { agent },
      ...typeof model === "string" && { model },
      ...level && { thinking: level },
      ...tools === "none" && { tools }
    };
  } catch {
    return {};
  }
}
function saveOptions(session, options) {
  const isDefault = Object.keys(options).length === 0;
  save4(nameOf2(session), isDefault ? void 0 : JSON.stringify(options));
}
function withOption(options, key, value) {
  const { [key]: _, ...others } = options;
  return value === void 0 ? others : { ...others, [key]: value };
}
function fieldsOf({ agent, model, thinking, tools }) {
  return {
    ...agent && { agent },
    ...model && { route: { model } },
    ...thinking && { params: { thinking } },
    ...tools && { tools }
  };
}
function nameOf2(session) {
  return `turnkit.options.${session ?? "new"}`;
}

// src/later/file.ts
import { client as client4 } from "./app.js";
function isFile(url) {
  return /^(?:blob|data):/i.test(url);
}
async function loadFile(url) {
  const head = /^data:[^,]*;base64,/i.exec(url)?.[0];
  if (head) return new Blob([Uint8Array.from(atob(url.slice(head.length)), (byte) => byte.charCodeAt(0))]);
  const id = /^blob:([\w-]+)$/.exec(url)?.[1];
  if (!id) throw new Error(url);
  const response = await client4.send("GET", `api/v1/blobs/${id}`);
  return response.blob();
}

// src/more/turns/attached.ts
import { client as client6 } from "./app.js";

// src/more/turns/wholes.ts
import { signal as signal5 } from "./vendor.js";

// src/later/wholeText.ts
import {
  client as client5,
  strings as strings2
} from "./app.js";
var CUT_BYTES = 64 * 1024;
var LONGEST_CHARACTER = 4;
function isCut(view, part) {
  if ("part_id" in part) return part.more ?? false;
  if (!view.more || !("text" in part)) return false;
  return new TextEncoder().encode(part.text).length > CUT_BYTES - LONGEST_CHARACTER;
}
async function loadWhole(view, part, signal12) {
  if ("part_id" in part) return (await loadPart(view.turn_id, part.part_id, signal12)).part.text;
  const { parts } = await get(`turns/${view.turn_id}/input`, signal12);
  const whole = parts.map((other) => wholeOf(part, other)).find((text) => text !== void 0);
  if (whole === void 0) throw new Error(strings2.peek().page.notFound);
  return whole;
}
function loadPart(turn, part, signal12) {
  return get(`turns/${turn}/parts/${part}`, signal12);
}
async function get(path, signal12) {
  const response = await client5.send("GET", `api/v1/${path}`, void 0, signal12);
  return await response.json();
}
function wholeOf(cut, part) {
  if (part.type !== cut.type || !("text" in part) || !("text" in cut)) return void 0;
  return part.text.startsWith(cut.text) ? part.text : void 0;
}

// src/more/turns/wholes.ts
var wholes = signal5(/* @__PURE__ */ new Map());
function textOfPart(view, part) {
  return wholes.value.get(placeOf(view, part)) ?? part.text;
}
function lacksRest(view, part) {
  return isCut(view, part) && !wholes.value.has(placeOf(view, part));
}
async function loadRest(view, part) {
  if (!lacksRest(view, part)) return textOfPart(view, part);
  const whole = await loadWhole(view, part);
  wholes.value = new Map(wholes.peek()).set(placeOf(view, part), whole);
  return whole;
}
function placeOf({ turn_id, input, steered }, part) {
  if ("part_id" in part) return `${turn_id} ${part.part_id}`;
  const parts = [input, ...(steered ?? []).map((message) => message.input)].flat();
  return `${turn_id} message ${parts.indexOf(part)}`;
}

// src/more/turns/attached.ts
function linkedImages({ input }) {
  return input.flatMap((part) => {
    if (part.type !== "image" || isFile(part.url)) return [];
    const { type, media_type, url } = part;
    return [{ type, media_type, url }];
  });
}
async function uploadAgain(view) {
  const ids = [];
  for (const part of view.input) {
    const file = await fileOf(view, part);
    if (file) ids.push((await client6.upload(file.name, file.content)).id);
  }
  return ids;
}
async function fileOf(view, part) {
  if (part.type === "context") return { name: part.source, content: new Blob([await loadRest(view, part)]) };
  if (part.type !== "image" && part.type !== "file" || !isFile(part.url)) return void 0;
  const name = part.type === "file" ? part.name : `image.${part.media_type.split("/")[1]}`;
  return { name, content: await loadFile(part.url) };
}

// src/more/turns/versions.ts
import { ApiError as ApiError2, client as client7, messageOf as messageOf2 } from "./app.js";
var MOST_PAGES = 50;
function versionsOf(history, turn) {
  const all = history.versions.value;
  const own = all.get(turn);
  if (!own) return [turn];
  const versions = [...all].filter(([, { after }]) => after === own.after);
  return versions.sort(([, a], [, b]) => a.number - b.number).map(([id]) => id);
}
function continued({ history, running: running2, queue }) {
  if (running2.peek() || queue.peek().length > 0) return void 0;
  const parents = [...history.versions.peek().values()].map(({ after }) => after);
  return new Set(parents).size < parents.length ? history.head.peek() : void 0;
}
function demandIdle({ isRunning, queue }) {
  if (isRunning.peek() || queue.peek().length > 0) throw new ApiError2(409, "session_busy", words.peek().turns.busy);
}
function reasonOf(error, failed) {
  if (error instanceof ApiError2 && error.code === "session_busy") return words.peek().turns.busy;
  return failed(messageOf2(error));
}
async function showVersion(conversation, viewport, version, article) {
  const head = await moveTo(conversation, version);
  const top = article?.closest(".log")?.getBoundingClientRect().top ?? 0;
  const offset = article ? article.getBoundingClientRect().top - top : 0;
  await conversation.history.jump(version, (turn) => viewport.show({ turn, offset }), head);
}
async function moveTo(conversation, turn) {
  demandIdle(conversation);
  const head = await branchEnd(conversation, turn);
  await client7.send("PATCH", `api/v1/sessions/${conversation.id}`, { head });
  return head;
}
async function branchEnd({ id, history }, through) {
  const turns = await turnsSince(id, history.versions.peek().get(through)?.number ?? 0);
  const isThrough = (turn) => {
    let current = turn;
    while (current && current !== through) current = turns.get(current)?.after;
    return current === through;
  };
  const head = history.head.peek();
  if (isThrough(head)) return head ?? through;
  const ended = [...turns.values()].filter((turn) => turn.ended_at !== null && !turn.steered_into);
  const last = ended.find((turn) => !turn.kind && isThrough(turn.id))?.id ?? through;
  return ended.find((turn) => turn.kind === "compact" && turn.after === last)?.id ?? last;
}
async function turnsSince(session, number) {
  const turns = /* @__PURE__ */ new Map();
  let cursor = "";
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const response = await client7.send("GET", `api/v1/turns?session=${session}&limit=200${cursor}`);
    const { data, next } = await response.json();
    for (const turn of data) turns.set(turn.id, turn);
    if (next === null || (data.at(-1)?.number ?? Infinity) <= number) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  return turns;
}

// src/more/turns/edits.ts
var edits = signal6(/* @__PURE__ */ new Map());
function canEdit(view) {
  return view.status !== void 0 && textsOf(view).some(({ text }) => text !== "");
}
function textsOf({ input }) {
  return input.filter((part) => part.type === "text");
}
function join(texts) {
  return texts.join("\n\n");
}
function beginEdit(session, view) {
  if (!canEdit(view) || edits.peek().has(view.turn_id)) return;
  open2(new Edit(session, view, keptEdit(session, view.turn_id)));
}
function restoreEdit(session, view) {
  if (keptEdit(session, view.turn_id)) beginEdit(session, view);
}
function open2(edit) {
  edits.value = new Map(edits.peek()).set(edit.turn.turn_id, edit);
}
function editLast(history) {
  const isMounted = (turn) => document.getElementById(`t-${turn}`) !== null;
  const last = history.order.peek().findLast((turn) => canEdit(history.turn(turn).peek()) && isMounted(turn));
  if (!last) return false;
  beginEdit(history.session, history.turn(last).peek());
  document.querySelector(`#t-${CSS.escape(last)} .user textarea`)?.focus();
  return true;
}
var Edit = class {
  constructor(session, turn, kept) {
    this.session = session;
    this.turn = turn;
    this.isNew = kept === void 0;
    this.#original = join(textsOf(turn).map((part) => textOfPart(turn, part)));
    this.#files = kept?.files;
    this.#sent = kept?.sent;
    if (kept) this.text.value = kept.text;
    else if (textsOf(turn).some((part) => lacksRest(turn, part))) void this.load();
    else this.text.value = this.#original;
  }
  session;
  turn;
  text = signal6("");
  /** Whether the text of the message is here. A page of turns cuts a long one, and the rest is loaded first. */
  state = signal6("ready");
  problem = signal6("");
  isSending = signal6(false);
  /** Whether the field has not been focused yet. */
  isNew;
  /** The text of the message, as far as it is here. */
  #original;
  #files;
  #sent;
  /** Loads the whole text of the message. */
  async load() {
    this.state.value = "loading";
    this.problem.value = "";
    try {
      this.#original = join(await Promise.all(textsOf(this.turn).map((part) => loadRest(this.turn, part))));
      this.text.value = this.#original;
      this.state.value = "ready";
    } catch (error) {
      this.problem.value = words.peek().turns.restFailed(messageOf3(error));
      this.state.value = "failed";
    }
  }
  write(text) {
    this.text.value = text;
    this.#keep();
  }
  /** Closes the field, and forgets its text. */
  close() {
    saveUnsent("edit", this.session, this.turn.turn_id, {});
    edits.value = new Map([...edits.peek()].filter(([, edit]) => edit !== this));
  }
  /** Sends the message. Returns whether the server has it. */
  async send(conversation) {
    const message = this.text.peek().trim();
    if (this.isSending.peek() || this.state.peek() !== "ready" || message === "") return false;
    this.isSending.value = true;
    this.problem.value = "";
    try {
      const path = `api/v1/turns/${this.turn.turn_id}`;
      const { after } = await (await client8.send("GET", path)).json();
      this.#files ??= await uploadAgain(this.turn);
      const images = linkedImages(this.turn);
      const request2 = {
        ...images.length > 0 ? { parts: [...images, { type: "text", text: message }] } : { message },
        session_id: conversation.id,
        ...fieldsOf(loadOptions(conversation.id)),
        ...this.#files.length > 0 && { files: this.#files },
        after,
        on_busy: "enqueue"
      };
      this.#sent = prepare({ text: message, ...this.#sent && { sent: this.#sent } }, request2);
      this.#keep();
      const started = await client8.start({ ...this.#sent.request, key: this.#sent.key });
      this.close();
      conversation.noteStarted(started.turn_id, after);
      await showStarted(conversation, started.turn_id).catch(() => {
      });
      return true;
    } catch (error) {
      this.problem.value = reasonOf(error, strings3.peek().page.failed);
      if (error instanceof ApiError3 && error.status >= 400 && error.status < 500) this.#beginAnew();
      return false;
    } finally {
      this.isSending.value = false;
    }
  }
  /** Makes the next attempt another request: the server has no such turn, and may have removed the files. */
  #beginAnew() {
    this.#sent = void 0;
    this.#files = void 0;
    this.#keep();
  }
  /** Keeps the text, unless it is that of the message. */
  #keep() {
    const text = this.text.peek();
    const isKept = text !== this.#original || this.#sent !== void 0;
    const kept = isKept ? { text, files: this.#files, sent: this.#sent } : {};
    saveUnsent("edit", this.session, this.turn.turn_id, kept);
  }
};
function keptEdit(session, turn) {
  const { text, files, sent } = loadUnsent("edit", session, turn);
  if (typeof text !== "string") return void 0;
  const isWhole = Boolean(sent?.key && sent.request);
  return { text, ...Array.isArray(files) && { files }, ...isWhole && { sent } };
}
async function showStarted(conversation, turn) {
  const { history } = conversation;
  if (!history.versions.peek().has(turn) || history.order.peek().includes(turn)) return;
  history.head.value = await moveTo(conversation, turn);
  await history.refresh(true);
}

// src/more/composer/CommandChoice.ts
import { computed as computed2, signal as signal7 } from "./vendor.js";

// src/more/composer/commands.ts
import { client as client10, openDialog } from "./app.js";

// src/later/download.ts
var SAVED_MS = 6e4;
function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}

// src/more/sessions/transfer.ts
import { client as client9, loadSessions } from "./app.js";
async function exportSession(session, format) {
  const content = await client9.exportSession(session.id, format);
  const title = (session.title || words.peek().sessions.file).replaceAll(/[/\\:*?"<>|]/g, " ");
  download(`${safeName(title)}.${format}`, content);
}
async function importSession(file) {
  const session = await client9.importSession(file);
  await loadSessions();
  return session;
}

// src/more/composer/commands.ts
function commandsFor(written, conversation) {
  const { descriptions } = words.value.commands;
  const session = conversation?.session.value;
  const everywhere = [
    { name: "new", description: descriptions.new, run: () => void (location.hash = "#/") },
    { name: "help", description: descriptions.help, run: () => openDialog({ kind: "shortcuts" }) }
  ];
  const inSession = session && conversation ? [
    { name: "compact", description: descriptions.compact, run: () => client10.compact(session.id) },
    { name: "context", description: descriptions.context, run: () => openDialog({ kind: "context", conversation }) },
    { name: "export", description: descriptions.export, run: () => exportSession(session, "md") },
    { name: "rename", description: descriptions.rename, run: () => openDialog({ kind: "rename", session }) }
  ] : [];
  return [...everywhere, ...inSession].filter(({ name }) => name.startsWith(written)).sort((a, b) => a.name < b.name ? -1 : 1);
}

// src/more/composer/CommandChoice.ts
var CommandChoice = class {
  #message;
  /** The text for which the user closed the list. */
  #closed = signal7("");
  #selected = signal7({ text: "", index: 0 });
  list = computed2(() => {
    const { text } = this.#message.draft.value;
    const isOpen2 = /^\/[a-z]*$/.test(text) && text !== this.#closed.value;
    return isOpen2 ? commandsFor(text.slice(1), this.#message.conversation) : [];
  });
  /** The place of the command that Enter runs. Another text has another list, which begins at its first one. */
  selected = computed2(() => {
    const { text, index } = this.#selected.value;
    return text === this.#message.draft.value.text ? index : 0;
  });
  constructor(message) {
    this.#message = message;
  }
  run(command) {
    this.#message.write("");
    void Promise.resolve(command.run()).catch((error) => this.#message.fail(error));
  }
  /** Handles a key of the field. Returns whether it was meant for the list. */
  press(event) {
    const list = this.list.value;
    const index = this.selected.value;
    const command = list[index];
    if (!command || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const { text } = this.#message.draft.value;
    if (event.key === "Enter" || event.key === "Tab") this.run(command);
    else if (event.key === "Escape") this.#closed.value = text;
    else if (event.key === "ArrowDown") this.#selected.value = { text, index: (index + 1) % list.length };
    else if (event.key === "ArrowUp") this.#selected.value = { text, index: (index + list.length - 1) % list.length };
    else return false;
    event.preventDefault();
    return true;
  }
};

// src/more/composer/grow.ts
var LONGEST_MEASURED = 2e4;
function grow(field) {
  if (!field) return;
  const isLong = field.value.length > LONGEST_MEASURED;
  field.style.height = isLong ? "100vh" : "auto";
  if (!isLong) field.style.height = `${field.scrollHeight + 2}px`;
}

// src/more/composer/MessageExtras.ts
var LONGEST_PASTE = 256 * 1024;
var MessageExtras = class {
  grow = grow;
  uploads;
  options = signal8({});
  commands;
  #message;
  #closing;
  /** The id of the selected command, if they are listed. */
  activeOption = computed3(() => {
    return this.commands.list.value.length > 0 ? optionId(this.commands.selected.value) : void 0;
  });
  /** What an empty field asks for, if it is something particular. */
  placeholder = computed3(() => this.#files.value?.length ? words.value.composer.aboutFiles : void 0);
  /** Whether no file keeps the message back. */
  isWhole = computed3(() => {
    const isRestored = this.uploads.isRestored.value || !this.#message.draft.value.hasFiles;
    return isRestored && this.#files.value !== void 0;
  });
  #files = computed3(() => uploadedFiles(this.uploads.list.value));
  constructor(message) {
    this.#message = message;
    this.uploads = new MessageFiles(message.session);
    this.options.value = loadOptions(message.session);
    this.commands = new CommandChoice(message);
    const { conversation } = message;
    this.#closing = [
      effect4(() => this.#noteFiles()),
      effect4(() => conversation && noteRunning(conversation.id, conversation.running.value !== void 0))
    ];
  }
  /** Returns the fields of the request. */
  fields() {
    const files = this.#files.value ?? [];
    const { conversation } = this.#message;
    const after = conversation && continued(conversation);
    return { ...fieldsOf(this.options.value), ...files.length > 0 && { files }, ...after && { after } };
  }
  /** Takes what was pasted or dropped. Returns whether it took care of it. */
  receive(data) {
    const text = data?.getData("text/plain") ?? "";
    const files = [...data?.files ?? []];
    if (text.length > LONGEST_PASTE) {
      this.#message.problem.value = words.peek().composer.tooLong;
      return true;
    }
    if (files.length === 0 || text !== "") return false;
    this.uploads.add(files);
    return true;
  }
  /** Handles a key of the field. Returns whether it was meant for the list of commands, or for an earlier message. */
  press(event) {
    return this.commands.press(event) || this.#editLast(event);
  }
  choose(options) {
    this.options.value = options;
    saveOptions(this.#message.session, options);
  }
  /** Prepares for the next message, after the server has this one. */
  sent(turn) {
    this.uploads.clear();
    if (this.#message.session) return;
    saveOptions(turn.session_id, this.options.peek());
    saveOptions(void 0, {});
  }
  close() {
    for (const close of this.#closing) close();
    this.uploads.close();
  }
  /** Edits the last message if the user presses the upward arrow in an empty field. */
  #editLast(event) {
    const { conversation, draft } = this.#message;
    const isMeant = event.key === "ArrowUp" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (!conversation || !isMeant || draft.peek().text !== "" || !editLast(conversation.history)) return false;
    event.preventDefault();
    return true;
  }
  /** Keeps in the draft whether files belong to it, for the next visit. */
  #noteFiles() {
    if (!this.uploads.isRestored.value) return;
    const hasFiles = this.uploads.list.value.some(({ state }) => state !== "refused");
    const { hasFiles: had = false, ...draft } = this.#message.draft.peek();
    if (hasFiles !== had) this.#message.keep({ ...draft, ...hasFiles && { hasFiles } });
  }
};

// src/more/composer/AttachButton.tsx
import { useRef } from "./vendor.js";
import { Fragment as Fragment2, jsx as jsx5, jsxs as jsxs4 } from "./vendor.js";
function AttachButton({ attach }) {
  const input = useRef(null);
  const name = words.value.composer.attach;
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    /* @__PURE__ */ jsx5(
      "button",
      {
        type: "button",
        class: "tool icon-button",
        "aria-label": name,
        title: name,
        onClick: () => input.current?.click(),
        children: /* @__PURE__ */ jsx5(MoreIcon, { name: "attach" })
      }
    ),
    /* @__PURE__ */ jsx5(
      "input",
      {
        ref: input,
        type: "file",
        multiple: true,
        hidden: true,
        onChange: ({ currentTarget }) => {
          attach([...currentTarget.files ?? []]);
          currentTarget.value = "";
        }
      }
    )
  ] });
}

// src/more/composer/Choices.tsx
import { useRef as useRef3, useState as useState3 } from "./vendor.js";
import { Icon as Icon2 } from "./app.js";

// src/more/composer/OptionsPanel.tsx
import { useEffect as useEffect2, useRef as useRef2, useState as useState2 } from "./vendor.js";
import { client as client11 } from "./app.js";
import { jsx as jsx6, jsxs as jsxs5 } from "./vendor.js";
function OptionsPanel({ options, choose, close }) {
  const { title, agent, model, thinking, tools, asAgent, withoutTools, withTools } = words.value.options;
  const { levels, options: name } = words.value.composer;
  const panel = useRef2(null);
  const [{ agents, models }, setOffer] = useState2({ agents: [], models: [] });
  useEffect2(() => void loadOffer().then(setOffer), []);
  useEffect2(() => {
    panel.current?.querySelector("select")?.focus();
    const pressOutside = (event) => {
      if (event.target instanceof Element && !event.target.closest(".options, [aria-haspopup]")) close();
    };
    addEventListener("pointerdown", pressOutside);
    return () => removeEventListener("pointerdown", pressOutside);
  }, []);
  const set = (key, value) => {
    choose(withOption(options, key, value || void 0));
  };
  return /* @__PURE__ */ jsxs5(
    "div",
    {
      ref: panel,
      class: "options",
      role: "dialog",
      "aria-label": name,
      onKeyDown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      },
      children: [
        /* @__PURE__ */ jsx6("p", { class: "remark", children: title }),
        agents.length > 0 && /* @__PURE__ */ jsx6(Choice, { label: agent, value: options.agent, none: asAgent, set: (value) => set("agent", value), children: agents.map(({ name: name2, description }) => /* @__PURE__ */ jsx6("option", { value: name2, title: description, children: name2 }, name2)) }),
        models.length > 0 && /* @__PURE__ */ jsx6(Choice, { label: model, value: options.model, none: asAgent, set: (value) => set("model", value), children: [...new Set(models.map(({ id }) => id))].map((id) => /* @__PURE__ */ jsx6("option", { value: id, children: id }, id)) }),
        /* @__PURE__ */ jsx6(Choice, { label: thinking, value: options.thinking, none: asAgent, set: (value) => set("thinking", value), children: THINKING.map((level) => /* @__PURE__ */ jsx6("option", { value: level, children: levels[level] }, level)) }),
        /* @__PURE__ */ jsx6(Choice, { label: tools, value: options.tools, none: withTools, set: (value) => set("tools", value), children: /* @__PURE__ */ jsx6("option", { value: "none", children: withoutTools }) })
      ]
    }
  );
}
function Choice({ label, value = "", none, set, children }) {
  return /* @__PURE__ */ jsxs5("label", { class: "note", children: [
    label,
    /* @__PURE__ */ jsxs5("select", { value, onChange: (event) => set(event.currentTarget.value), children: [
      /* @__PURE__ */ jsx6("option", { value: "", children: none }),
      children
    ] })
  ] });
}
async function loadOffer() {
  const [agents, models] = await Promise.all([
    client11.agents().catch(() => void 0),
    client11.models().catch(() => void 0)
  ]);
  return { agents: agents?.data ?? [], models: models?.data ?? [] };
}

// src/more/composer/Choices.tsx
import { Fragment as Fragment3, jsx as jsx7, jsxs as jsxs6 } from "./vendor.js";
function Choices({ extras }) {
  const text = words.value.composer;
  const [isOpen2, setOpen] = useState3(false);
  const button = useRef3(null);
  const options = extras.options.value;
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    /* @__PURE__ */ jsxs6(
      "button",
      {
        ref: button,
        type: "button",
        class: "tool",
        "aria-haspopup": "dialog",
        "aria-expanded": isOpen2,
        onClick: () => setOpen(!isOpen2),
        children: [
          /* @__PURE__ */ jsx7(Icon2, { name: "settings" }),
          text.options
        ]
      }
    ),
    namesOf(options).map(([key, name]) => /* @__PURE__ */ jsxs6(
      "button",
      {
        type: "button",
        class: "chip choice",
        "aria-label": text.undo(name),
        onClick: () => extras.choose(withOption(options, key, void 0)),
        children: [
          /* @__PURE__ */ jsx7("span", { dir: "auto", children: name }),
          /* @__PURE__ */ jsx7(Icon2, { name: "close" })
        ]
      },
      key
    )),
    isOpen2 && /* @__PURE__ */ jsx7(OptionsPanel, { options, choose: (chosen) => extras.choose(chosen), close })
  ] });
}
function namesOf({ agent, model, thinking, tools }) {
  const text = words.value.composer;
  const names = [
    ["agent", agent],
    ["model", model],
    ["thinking", thinking && text.thinking(text.levels[thinking])],
    ["tools", tools && text.noTools]
  ];
  return names.filter((named) => named[1] !== void 0);
}

// src/more/composer/Tools.tsx
import { Fragment as Fragment4, jsx as jsx8, jsxs as jsxs7 } from "./vendor.js";
function Tools({ extras }) {
  return /* @__PURE__ */ jsxs7(Fragment4, { children: [
    /* @__PURE__ */ jsx8(AttachButton, { attach: (files) => extras.uploads.add(files) }),
    /* @__PURE__ */ jsx8(Choices, { extras })
  ] });
}

// src/more/groups.ts
import { locale as locale2 } from "./app.js";
function groupsOf(sessions3) {
  const groups = /* @__PURE__ */ new Map();
  const pinnedFirst = [...sessions3].sort((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false));
  for (const session of pinnedFirst) {
    const name = session.pinned ? words.value.sessions.pinned : nameOfDay(session.last_active);
    groups.set(name, [...groups.get(name) ?? [], session]);
  }
  return [...groups].map(([name, members]) => ({ name, members }));
}
var DAY_MS = 24 * 60 * 60 * 1e3;
function nameOfDay(iso) {
  const date = new Date(iso);
  const midnight = (day) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  const days = Math.round((midnight(/* @__PURE__ */ new Date()) - midnight(date)) / DAY_MS);
  if (days <= 0) return words.value.sessions.today;
  if (days === 1) return words.value.sessions.yesterday;
  const options = days < 7 ? { weekday: "long", day: "numeric", month: "long" } : { month: "long", year: "numeric" };
  return new Intl.DateTimeFormat(locale2.value, options).format(date);
}

// src/more/Offline.tsx
import { useEffect as useEffect4, useState as useState5 } from "./vendor.js";

// src/later/CopyButton.tsx
import { useEffect as useEffect3, useState as useState4 } from "./vendor.js";
import { copy, strings as strings4 } from "./app.js";
import { jsx as jsx9 } from "./vendor.js";
var SAID_MS = 2e3;
function CopyButton({ text, name, failed }) {
  const [hasCopied, setCopied] = useState4(false);
  useEffect3(() => {
    if (!hasCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  const click = () => {
    const copied = typeof text === "string" ? copy(text) : text().then(copy);
    copied.then(setCopied, failed);
  };
  return /* @__PURE__ */ jsx9("button", { type: "button", class: "quiet", onClick: click, children: hasCopied ? strings4.value.chat.copied : name ?? strings4.value.chat.copy });
}

// src/more/configuration.ts
var WIRES = ["openai-chat", "openai-responses", "anthropic", "gemini"];
var VENDORS = [
  { vendor: "openai", key: "OPENAI_API_KEY", model: "gpt-5-mini" },
  { vendor: "anthropic", key: "ANTHROPIC_API_KEY", model: "claude-sonnet-4-5" },
  { vendor: "gemini", key: "GEMINI_API_KEY", model: "gemini-2.5-flash" },
  { vendor: "openrouter", key: "OPENROUTER_API_KEY", model: "openai/gpt-5-mini" },
  { vendor: "ollama", key: "", model: "qwen3" }
];
function configurationOf({ vendor, address, wire, model, key }) {
  const name = key.trim().replace(/[^A-Za-z0-9_]/g, "");
  return [
    "[[providers]]",
    'id = "main"',
    // Strings of TOML have the escapes of JSON.
    ...vendor ? [`vendor = ${quote(vendor)}`] : [`api = ${quote(wire)}`, `base_url = ${quote(address.trim())}`],
    ...name ? [`api_key = "\${${name}}"`] : [],
    `models = [${quote(model.trim())}]`
  ].join("\n");
}
function quote(text) {
  return JSON.stringify(text);
}

// src/more/responder.ts
import { computed as computed4, signal as signal9 } from "./vendor.js";
import { client as client12 } from "./app.js";
var isOffline = signal9(false);
var offlineSuggestions = computed4(() => isOffline.value ? words.value.offline.suggestions : void 0);
async function loadOffline() {
  const found = await client12.providers().catch(() => void 0);
  if (found) isOffline.value = found.data.length === 1 && found.data[0]?.id === "offline";
}

// src/more/Offline.tsx
import { Fragment as Fragment5, jsx as jsx10, jsxs as jsxs8 } from "./vendor.js";
function Offline() {
  const text = words.value.offline;
  const [choice, setChoice] = useState5({ ...VENDORS[0], address: "", wire: WIRES[0] });
  useEffect4(() => void loadOffline(), []);
  if (!isOffline.value) return null;
  const change = (changed) => setChoice({ ...choice, ...changed });
  const lines = configurationOf(choice);
  return /* @__PURE__ */ jsxs8("section", { class: "offline", "aria-label": text.title, children: [
    /* @__PURE__ */ jsx10("h2", { children: text.title }),
    /* @__PURE__ */ jsx10("p", { children: text.explanation }),
    /* @__PURE__ */ jsxs8("div", { class: "fields", children: [
      /* @__PURE__ */ jsxs8("label", { children: [
        text.vendor,
        /* @__PURE__ */ jsxs8(
          "select",
          {
            value: choice.vendor ?? "",
            onChange: ({ currentTarget }) => {
              const vendor = VENDORS.find(({ vendor: vendor2 }) => vendor2 === currentTarget.value);
              change(vendor ?? { vendor: void 0 });
            },
            children: [
              VENDORS.map(({ vendor }) => /* @__PURE__ */ jsx10("option", { value: vendor, children: vendor }, vendor)),
              /* @__PURE__ */ jsx10("option", { value: "", children: text.other })
            ]
          }
        )
      ] }),
      choice.vendor === void 0 && /* @__PURE__ */ jsxs8(Fragment5, { children: [
        /* @__PURE__ */ jsx10(TextField, { label: text.address, value: choice.address, set: (address) => change({ address }) }),
        /* @__PURE__ */ jsxs8("label", { children: [
          text.wire,
          /* @__PURE__ */ jsx10("select", { value: choice.wire, onChange: ({ currentTarget }) => change({ wire: currentTarget.value }), children: WIRES.map((wire) => /* @__PURE__ */ jsx10("option", { children: wire }, wire)) })
        ] })
      ] }),
      /* @__PURE__ */ jsx10(TextField, { label: text.model, value: choice.model, set: (model) => change({ model }) }),
      /* @__PURE__ */ jsx10(TextField, { label: text.key, value: choice.key, set: (key) => change({ key }) })
    ] }),
    /* @__PURE__ */ jsx10("pre", { tabIndex: 0, "aria-label": text.lines, children: lines }),
    /* @__PURE__ */ jsx10(CopyButton, { text: lines })
  ] });
}
function TextField({ label, value, set }) {
  return /* @__PURE__ */ jsxs8("label", { children: [
    label,
    /* @__PURE__ */ jsx10(
      "input",
      {
        type: "text",
        dir: "ltr",
        value,
        spellcheck: false,
        onInput: ({ currentTarget }) => set(currentTarget.value)
      }
    )
  ] });
}

// src/more/OperatorLinks.tsx
import { useEffect as useEffect5 } from "./vendor.js";
import { loadMe, maySee, OPERATOR_SCREENS, route as route2, strings as strings5 } from "./app.js";
import { jsx as jsx11, jsxs as jsxs9 } from "./vendor.js";
function OperatorLinks() {
  const words2 = strings5.value.operator;
  useEffect5(() => void loadMe(), []);
  const screens = OPERATOR_SCREENS.filter(maySee);
  return /* @__PURE__ */ jsxs9("div", { class: "rail-links operator-links", children: [
    screens.length > 2 && /* @__PURE__ */ jsx11("h2", { children: words2.title }),
    screens.map((screen) => /* @__PURE__ */ jsxs9("a", { href: `#/${screen}`, "aria-current": route2.value.screen === screen ? "page" : void 0, children: [
      /* @__PURE__ */ jsx11(MoreIcon, { name: screen }),
      words2[screen]
    ] }, screen))
  ] });
}

// src/more/Overlays.tsx
import { useEffect as useEffect7 } from "./vendor.js";
import { dialog, route as route5 } from "./app.js";

// src/more/context/ContextPanel.tsx
import { useEffect as useEffect6, useState as useState7 } from "./vendor.js";
import { Dialog, formatNumber as formatNumber4, messageOf as messageOf5, strings as strings7 } from "./app.js";

// src/more/context/Compaction.tsx
import { useState as useState6 } from "./vendor.js";
import { client as client13, me, messageOf as messageOf4, strings as strings6 } from "./app.js";

// src/more/turns/Notices.tsx
import { visible } from "./app.js";
import { Fragment as Fragment6, jsx as jsx12, jsxs as jsxs10 } from "./vendor.js";
function Notices({ remarks }) {
  return /* @__PURE__ */ jsx12(Fragment6, { children: remarks.map((remark, index) => /* @__PURE__ */ jsx12("p", { role: "note", class: remark.error ? "remark error" : "remark", dir: "auto", children: /* @__PURE__ */ jsx12(Sentence, { ...remark }) }, index)) });
}
function Sentence({ code, text }) {
  const { plain, detailed } = words.value.notices;
  const sentence = known(plain, code);
  if (sentence) return /* @__PURE__ */ jsx12(Fragment6, { children: sentence });
  const beginning = known(detailed, code);
  if (!beginning) return /* @__PURE__ */ jsx12(Fragment6, { children: visible(text) });
  return /* @__PURE__ */ jsxs10(Fragment6, { children: [
    beginning,
    " ",
    /* @__PURE__ */ jsxs10("span", { lang: "en", children: [
      "(",
      visible(text),
      ")"
    ] })
  ] });
}
function known(table, code) {
  return Object.hasOwn(table, code) ? table[code] : void 0;
}

// src/more/context/Compaction.tsx
import { jsx as jsx13, jsxs as jsxs11 } from "./vendor.js";
function Compaction({ conversation, turn, started }) {
  const { context } = words.value;
  const [isAsking, setAsking] = useState6(false);
  const [problem2, setProblem] = useState6("");
  const view = turn ? conversation.turn(turn).value : void 0;
  const isBusy = isAsking || view && !view.status;
  if (me.value && !me.value.scopes.includes("chat")) return null;
  const compact = () => {
    setAsking(true);
    setProblem("");
    client13.compact(conversation.id).then(({ turn_id }) => started(turn_id)).catch((error) => setProblem(strings6.peek().page.failed(messageOf4(error)))).finally(() => setAsking(false));
  };
  return /* @__PURE__ */ jsxs11("div", { class: "context-compaction", children: [
    /* @__PURE__ */ jsx13("button", { type: "button", "aria-disabled": isBusy, onClick: () => isBusy || compact(), children: context.compact }),
    /* @__PURE__ */ jsxs11("div", { role: "status", children: [
      isBusy && /* @__PURE__ */ jsx13("p", { class: "remark", children: context.compacting }),
      view?.status && /* @__PURE__ */ jsx13(Notices, { remarks: view.remarks })
    ] }),
    problem2 && /* @__PURE__ */ jsx13("p", { class: "remark error", role: "alert", children: problem2 })
  ] });
}

// src/more/context/LeftOut.tsx
import { formatNumber, visible as visible2 } from "./app.js";
import { Fragment as Fragment7, jsx as jsx14, jsxs as jsxs12 } from "./vendor.js";
function LeftOut({ report: report2 }) {
  const { context } = words.value;
  const cut = report2.items.filter((item) => item.cut);
  if (cut.length + report2.left_out.length === 0) return null;
  return /* @__PURE__ */ jsxs12(Fragment7, { children: [
    /* @__PURE__ */ jsx14("h3", { children: context.leftOut }),
    /* @__PURE__ */ jsxs12("ul", { class: "context-left-out", children: [
      report2.left_out.map(({ source, why }, index) => /* @__PURE__ */ jsxs12("li", { children: [
        /* @__PURE__ */ jsx14("span", { dir: "auto", children: visible2(source) }),
        ": ",
        /* @__PURE__ */ jsx14("span", { lang: "en", children: visible2(why) })
      ] }, `failed ${index}`)),
      cut.map((item, index) => /* @__PURE__ */ jsxs12("li", { children: [
        /* @__PURE__ */ jsx14("span", { dir: "auto", children: visible2(item.source) }),
        ": ",
        describe(item)
      ] }, `cut ${index}`))
    ] })
  ] });
}
function describe({ tokens, cut }) {
  const { context } = words.value;
  const reasons = context.reasons;
  const { from = 0, why = "" } = cut ?? {};
  const before = formatNumber(from);
  const change = tokens > 0 ? context.shortened(before, formatNumber(tokens)) : context.dropped(before);
  return Object.hasOwn(reasons, why) ? `${change} ${reasons[why]}` : change;
}

// src/more/context/Meter.tsx
import { formatNumber as formatNumber2 } from "./app.js";

// src/more/context/report.ts
import { client as client14 } from "./app.js";
async function loadContext(session) {
  const response = await client14.send("GET", `api/v1/sessions/${session}/context`);
  return await response.json();
}
function partsOf({ items }) {
  const parts = /* @__PURE__ */ new Map();
  for (const item of items) {
    if (item.tokens === 0) continue;
    const part = parts.get(item.category) ?? { category: item.category, tokens: 0, items: [] };
    parts.set(item.category, { ...part, tokens: part.tokens + item.tokens, items: [...part.items, item] });
  }
  return [...parts.values()];
}
function colourOf(category) {
  if (category === "tool") return "tools";
  if (category === "history") return "messages";
  return category === "reserve" ? "answer" : "instructions";
}

// src/more/context/Meter.tsx
import { Fragment as Fragment8, jsx as jsx15, jsxs as jsxs13 } from "./vendor.js";
function Meter({ parts, used, limit }) {
  const { context } = words.value;
  const estimated = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const free = Math.max(0, (limit ?? used) - used);
  const segments = /* @__PURE__ */ jsxs13(Fragment8, { children: [
    parts.map(({ category, tokens }) => /* @__PURE__ */ jsx15(Segment, { colour: colourOf(category), size: tokens / estimated * used }, category)),
    free > 0 && /* @__PURE__ */ jsx15(Segment, { colour: "free", size: free })
  ] });
  if (!limit) {
    return /* @__PURE__ */ jsx15("div", { class: "context-meter", "aria-hidden": "true", children: segments });
  }
  return /* @__PURE__ */ jsx15(
    "div",
    {
      class: "context-meter",
      role: "meter",
      "aria-label": context.meter,
      "aria-valuemin": 0,
      "aria-valuemax": limit,
      "aria-valuenow": Math.min(used, limit),
      "aria-valuetext": context.meterText(formatNumber2(used), formatNumber2(limit)),
      children: segments
    }
  );
}
function Segment({ colour, size }) {
  const grow2 = (element) => {
    if (element) element.style.flexGrow = String(size);
  };
  return /* @__PURE__ */ jsx15("span", { ref: grow2, class: `context-${colour}` });
}

// src/more/context/Parts.tsx
import { formatNumber as formatNumber3, locale as locale3, visible as visible3 } from "./app.js";
import { Fragment as Fragment9, jsx as jsx16, jsxs as jsxs14 } from "./vendor.js";
function Parts({ parts, report: { used, limit, request: request2 } }) {
  const { context } = words.value;
  const most = limit ?? used;
  const count = ({ category, items }) => category === "history" ? request2.messages.length : items.length;
  const row = (name, colour, tokens) => /* @__PURE__ */ jsxs14("tr", { children: [
    /* @__PURE__ */ jsxs14("th", { scope: "row", children: [
      /* @__PURE__ */ jsx16("span", { class: `context-key context-${colour}` }),
      name
    ] }),
    /* @__PURE__ */ jsx16("td", { children: formatNumber3(tokens) }),
    /* @__PURE__ */ jsx16("td", { children: formatShare(tokens / most) })
  ] }, name);
  return /* @__PURE__ */ jsxs14(Fragment9, { children: [
    /* @__PURE__ */ jsxs14("table", { class: "context-parts", children: [
      /* @__PURE__ */ jsx16("caption", { class: "unseen", children: context.parts }),
      /* @__PURE__ */ jsx16("thead", { children: /* @__PURE__ */ jsxs14("tr", { children: [
        /* @__PURE__ */ jsx16("th", { scope: "col", children: context.part }),
        /* @__PURE__ */ jsx16("th", { scope: "col", children: context.count }),
        /* @__PURE__ */ jsx16("th", { scope: "col", children: context.share })
      ] }) }),
      /* @__PURE__ */ jsxs14("tbody", { children: [
        parts.map((part) => row(nameOf3(part.category, count(part)), colourOf(part.category), part.tokens)),
        limit && limit > used && row(context.free, "free", limit - used)
      ] })
    ] }),
    /* @__PURE__ */ jsx16(Pieces, { parts })
  ] });
}
function Pieces({ parts }) {
  const { context } = words.value;
  const pieces = parts.filter(({ category }) => category !== "history" && category !== "reserve");
  if (pieces.length === 0) return null;
  return /* @__PURE__ */ jsxs14("details", { children: [
    /* @__PURE__ */ jsx16("summary", { children: context.pieces }),
    /* @__PURE__ */ jsxs14("table", { class: "context-parts", children: [
      /* @__PURE__ */ jsx16("caption", { class: "unseen", children: context.pieces }),
      /* @__PURE__ */ jsx16("thead", { children: /* @__PURE__ */ jsxs14("tr", { children: [
        /* @__PURE__ */ jsx16("th", { scope: "col", children: context.source }),
        /* @__PURE__ */ jsx16("th", { scope: "col", children: context.count })
      ] }) }),
      pieces.map(({ category, items }) => /* @__PURE__ */ jsx16("tbody", { children: items.map(({ source, tokens }, index) => /* @__PURE__ */ jsxs14("tr", { children: [
        /* @__PURE__ */ jsxs14("th", { scope: "row", children: [
          /* @__PURE__ */ jsx16("span", { class: `context-key context-${colourOf(category)}` }),
          /* @__PURE__ */ jsx16("span", { dir: "auto", children: visible3(source) }),
          " ",
          /* @__PURE__ */ jsx16("span", { class: "remark", children: nameOf3(category, 1) })
        ] }),
        /* @__PURE__ */ jsx16("td", { children: formatNumber3(tokens) })
      ] }, index)) }, category))
    ] })
  ] });
}
function nameOf3(category, count) {
  const names = words.value.context.kinds;
  const name = Object.hasOwn(names, category) && names[category] || visible3(category);
  return count > 1 ? `${name} (${formatNumber3(count)})` : name;
}
function formatShare(share) {
  const digits = share < 0.01 ? 2 : share < 0.1 ? 1 : 0;
  const options = { style: "percent", maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale3.value, options).format(share);
}

// src/more/context/ContextPanel.tsx
import { Fragment as Fragment10, jsx as jsx17, jsxs as jsxs15 } from "./vendor.js";
function ContextPanel({ conversation, close }) {
  const { context } = words.value;
  const { page } = strings7.value;
  const [report2, setReport] = useState7();
  const [problem2, setProblem] = useState7("");
  const isRunning = conversation.isRunning.value;
  const [turn, setTurn] = useState7("");
  const status = turn && conversation.turn(turn).value.status;
  useEffect6(() => {
    let isCurrent = true;
    loadContext(conversation.id).then(
      (loaded) => {
        if (!isCurrent) return;
        setProblem("");
        setReport(loaded);
      },
      (error) => isCurrent && setProblem(page.failed(messageOf5(error)))
    );
    return () => {
      isCurrent = false;
    };
  }, [conversation, isRunning, status]);
  return /* @__PURE__ */ jsx17(Dialog, { title: context.title, close, children: /* @__PURE__ */ jsxs15("div", { class: "context", children: [
    problem2 && /* @__PURE__ */ jsx17("p", { class: "remark error", role: "alert", children: problem2 }),
    !report2 && !problem2 && /* @__PURE__ */ jsx17("p", { class: "remark", children: page.loading }),
    report2 && /* @__PURE__ */ jsx17(Report, { report: report2 }),
    report2 && /* @__PURE__ */ jsx17(Compaction, { conversation, turn, started: setTurn })
  ] }) });
}
function Report({ report: report2 }) {
  const { context, notices } = words.value;
  const { used, limit, request: request2 } = report2;
  const parts = partsOf(report2);
  const has = (mark) => request2.messages.some((message) => message.mark === mark);
  return /* @__PURE__ */ jsxs15(Fragment10, { children: [
    /* @__PURE__ */ jsxs15("p", { class: "context-total", children: [
      /* @__PURE__ */ jsx17("strong", { children: formatNumber4(used) }),
      " ",
      limit ? context.ofTokens(formatNumber4(limit), formatShare(used / limit)) : context.tokens
    ] }),
    /* @__PURE__ */ jsx17(Meter, { parts, used, limit }),
    !limit && /* @__PURE__ */ jsx17("p", { class: "remark", children: context.noLimit }),
    limit && used > limit && /* @__PURE__ */ jsx17("p", { class: "remark", children: context.tooLarge }),
    has("summary") && /* @__PURE__ */ jsx17("p", { class: "remark", children: notices.plain.compacted }),
    has("edits") && /* @__PURE__ */ jsx17("p", { class: "remark", children: notices.plain.results_pruned }),
    /* @__PURE__ */ jsx17(Parts, { parts, report: report2 }),
    /* @__PURE__ */ jsx17(LeftOut, { report: report2 }),
    /* @__PURE__ */ jsx17("p", { class: "remark", children: context.estimated })
  ] });
}

// src/more/sessions/Rename.tsx
import { useState as useState8 } from "./vendor.js";
import { Dialog as Dialog2, messageOf as messageOf6, strings as strings8 } from "./app.js";

// src/more/sessions/change.ts
import { client as client15, noteSession } from "./app.js";
async function changeSession(session, change) {
  noteSession(await client15.change(session.id, change));
}

// src/more/sessions/Rename.tsx
import { jsx as jsx18, jsxs as jsxs16 } from "./vendor.js";
function Rename({ session, close }) {
  const { sessions: sessions3 } = words.value;
  const [title, setTitle] = useState8(session.title);
  const [problem2, setProblem] = useState8("");
  const save6 = (event) => {
    event.preventDefault();
    changeSession(session, { title: title.trim() }).then(close, (error) => setProblem(messageOf6(error)));
  };
  return /* @__PURE__ */ jsx18(Dialog2, { title: sessions3.renameTitle, close, children: /* @__PURE__ */ jsxs16("form", { onSubmit: save6, children: [
    /* @__PURE__ */ jsxs16("label", { class: "note", children: [
      sessions3.name,
      /* @__PURE__ */ jsx18("input", { type: "text", dir: "auto", value: title, onInput: (event) => setTitle(event.currentTarget.value) })
    ] }),
    problem2 && /* @__PURE__ */ jsx18("p", { class: "remark error", role: "alert", children: problem2 }),
    /* @__PURE__ */ jsxs16("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx18("button", { class: "primary", disabled: title.trim() === "", children: sessions3.save }),
      /* @__PURE__ */ jsx18("button", { type: "button", onClick: close, children: strings8.value.page.cancel })
    ] })
  ] }) });
}

// src/more/sessions/Toast.tsx
import { strings as strings9 } from "./app.js";

// src/more/sessions/removal.ts
import { effect as effect5, signal as signal10 } from "./vendor.js";
import { access as access3, addressOf as addressOf2, client as client16, loadSessions as loadSessions2, messageOf as messageOf7, removing as removing2, route as route3 } from "./app.js";

// src/more/sessions/forget.ts
import { saveDraft } from "./app.js";
function forgetMessage(session) {
  saveDraft(session, { text: "" });
  saveOptions(session, {});
  forgetUnsent(session);
  void dropFiles(session);
}

// src/more/sessions/removal.ts
var SHOWN_MS = 8e3;
var Notice = class {
  shown = signal10(void 0);
  #ended;
  #timer;
  constructor(ended) {
    this.#ended = ended;
  }
  show(shown) {
    this.shown.value = shown;
    this.resume();
  }
  /** Stops the time while the user looks at the notice. */
  pause() {
    clearTimeout(this.#timer);
  }
  resume() {
    this.pause();
    this.#timer = setTimeout(this.#ended, SHOWN_MS);
  }
  /** Ends the notice, and returns what it showed. */
  take() {
    this.pause();
    const shown = this.shown.peek();
    this.shown.value = void 0;
    return shown;
  }
};
var putAway = new Notice(() => finish());
var failure = new Notice(() => failure.take());
var left;
function removeSession(session) {
  finish();
  putAway.show({ kind: "removed", session });
  leave(session);
  removing2.value = [...removing2.peek(), session.id];
}
function archiveSession(session) {
  changeSession(session, { archived: true }).then(() => {
    finish();
    putAway.show({ kind: "archived", session });
    leave(session);
  }, reportFailure);
}
function reportFailure(error) {
  failure.show(messageOf7(error));
}
function leave(session) {
  const isShown = route3.value.screen === "chat" && route3.value.session === session.id;
  left = isShown ? session.id : void 0;
  if (!isShown) return;
  location.hash = "#/";
  route3.value = { screen: "new" };
}
function undo() {
  const taken = putAway.take();
  if (!taken) return;
  const { id } = taken.session;
  if (taken.kind === "archived") changeSession(taken.session, { archived: false }).catch(reportFailure);
  else forget(taken.session);
  if (left === id && route3.peek().screen === "new") location.hash = addressOf2(id);
}
function finish(isLeaving = false) {
  const ended = putAway.take();
  if (ended?.kind !== "removed") return;
  const { session } = ended;
  if (isLeaving) forgetMessage(session.id);
  client16.remove(session.id, { keepalive: true }).then(
    () => {
      forgetMessage(session.id);
      void loadSessions2().catch(() => {
      }).then(() => forget(session));
    },
    (error) => {
      forget(session);
      reportFailure(error);
    }
  );
}
function forget(session) {
  removing2.value = removing2.peek().filter((id) => id !== session.id);
}
addEventListener("pagehide", () => finish(true));
effect5(() => {
  if (access3.value === "signed_out") finish(true);
});
document.addEventListener("visibilitychange", () => document.hidden && finish());
effect5(() => {
  const shown = route3.value;
  const { kind, session } = putAway.shown.peek() ?? {};
  if (kind === "removed" && shown.screen === "chat" && shown.session === session?.id) undo();
});

// src/more/sessions/Toast.tsx
import { jsx as jsx19, jsxs as jsxs17 } from "./vendor.js";
function Toast() {
  const { sessions: sessions3 } = words.value;
  const put = putAway.shown.value;
  const reason = failure.shown.value;
  const title = put?.session.title || strings9.value.sessions.untitled;
  return /* @__PURE__ */ jsxs17("div", { class: "toasts", role: "status", children: [
    reason !== void 0 && /* @__PURE__ */ jsx19(Line, { notice: failure, children: strings9.value.page.failed(reason) }),
    put && /* @__PURE__ */ jsx19(Line, { notice: putAway, button: { name: sessions3.undo, click: undo }, children: put.kind === "removed" ? sessions3.deleted(title) : sessions3.archived(title) }, put.session.id)
  ] });
}
function Line({ notice, button, children }) {
  const pause = () => notice.pause();
  const resume = ({ currentTarget, relatedTarget, type }) => {
    const isLeft = type === "blur" && !currentTarget.contains(relatedTarget);
    if (!currentTarget.matches(isLeft ? ":hover" : ":focus-within")) notice.resume();
  };
  return /* @__PURE__ */ jsxs17("p", { class: "toast", onMouseEnter: pause, onMouseLeave: resume, onFocusCapture: pause, onBlurCapture: resume, children: [
    /* @__PURE__ */ jsx19("span", { dir: "auto", children }),
    button && /* @__PURE__ */ jsx19("button", { type: "button", onClick: button.click, children: button.name })
  ] });
}

// src/more/Shortcuts.tsx
import { Dialog as Dialog3, route as route4, sendKey, strings as strings10 } from "./app.js";
import { jsx as jsx20, jsxs as jsxs18 } from "./vendor.js";
function Shortcuts({ close }) {
  const { keys: keys2 } = words.value;
  const command = navigator.platform.startsWith("Mac") ? "⌘" : keys2.control;
  const isEnter = sendKey.value === "enter";
  const message = [
    [isEnter ? "Enter" : `${command} Enter`, keys2.send],
    [isEnter ? `${command} Enter` : `${command} ${keys2.shift} Enter`, keys2.steer],
    [isEnter ? `${keys2.shift} Enter` : "Enter", keys2.line],
    ["Esc", keys2.stop],
    ["/", keys2.commands],
    ["↑", keys2.edit]
  ];
  const page = [
    [`${command} K`, keys2.sessions],
    [`${command} ${keys2.shift} O`, keys2.new],
    [`${command} B`, keys2.rail],
    ["?", keys2.sheet]
  ];
  const session = [
    ["J K", keys2.turns],
    [`${command} ${keys2.shift} F`, keys2.search]
  ];
  return /* @__PURE__ */ jsxs18(Dialog3, { title: strings10.value.rail.shortcuts, close, children: [
    /* @__PURE__ */ jsx20(KeyTable, { name: keys2.message, rows: message }),
    route4.value.screen === "chat" && /* @__PURE__ */ jsx20(KeyTable, { name: keys2.session, rows: session }),
    /* @__PURE__ */ jsx20(KeyTable, { name: keys2.page, rows: page })
  ] });
}
function KeyTable({ name, rows }) {
  return /* @__PURE__ */ jsxs18("table", { class: "keys", children: [
    /* @__PURE__ */ jsx20("caption", { children: name }),
    /* @__PURE__ */ jsx20("tbody", { children: rows.map(([keys2, meaning]) => /* @__PURE__ */ jsxs18("tr", { children: [
      /* @__PURE__ */ jsx20("th", { scope: "row", children: keys2.split(" ").map((key) => /* @__PURE__ */ jsx20("kbd", { children: key }, key)) }),
      /* @__PURE__ */ jsx20("td", { children: meaning })
    ] }, keys2)) })
  ] });
}

// src/more/Overlays.tsx
import { Fragment as Fragment11, jsx as jsx21, jsxs as jsxs19 } from "./vendor.js";
function Overlays() {
  const opened2 = dialog.value;
  const close = () => {
    dialog.value = void 0;
  };
  const shown = route5.value;
  const session = opened2?.kind === "context" ? opened2.conversation.id : void 0;
  const isLeft = session !== void 0 && !(shown.screen === "chat" && shown.session === session);
  useEffect7(() => {
    if (isLeft) close();
  }, [isLeft]);
  return /* @__PURE__ */ jsxs19(Fragment11, { children: [
    opened2?.kind === "shortcuts" && /* @__PURE__ */ jsx21(Shortcuts, { close }),
    opened2?.kind === "rename" && /* @__PURE__ */ jsx21(Rename, { session: opened2.session, close }),
    opened2?.kind === "context" && /* @__PURE__ */ jsx21(ContextPanel, { conversation: opened2.conversation, close }),
    /* @__PURE__ */ jsx21(Toast, {})
  ] });
}

// src/more/Position.tsx
import { useState as useState9 } from "./vendor.js";
import { formatNumber as formatNumber5, messageOf as messageOf8, strings as strings11 } from "./app.js";
import { jsx as jsx22, jsxs as jsxs20 } from "./vendor.js";
function Position({ history, viewport, search: search3 }) {
  const { position } = words.value;
  const { log, page } = strings11.value;
  const [number, setNumber] = useState9("");
  const [problem2, setProblem] = useState9("");
  const total = history.total.value;
  if (!history.isLoaded.value || !history.hasEarlier.value && history.isLive.value) return null;
  const viewed = viewport.isAtEnd.value ? total : history.turn(viewport.viewed.value ?? "").value.number;
  const go = (journey) => {
    setProblem("");
    journey.catch((error) => setProblem(page.failed(messageOf8(error))));
  };
  const submit = (event) => {
    event.preventDefault();
    if (number === "") return;
    go(viewport.jump(Math.min(total, Math.max(1, Number(number)))));
    setNumber("");
  };
  return /* @__PURE__ */ jsxs20("form", { class: "position", "aria-label": position.label, onSubmit: submit, children: [
    /* @__PURE__ */ jsx22("button", { type: "button", class: "icon-button", "aria-label": position.first, onClick: () => go(viewport.jump(1)), children: /* @__PURE__ */ jsx22(MoreIcon, { name: "first" }) }),
    /* @__PURE__ */ jsx22("span", { class: "position-text", children: position.turnOf(formatNumber5(viewed), formatNumber5(total)) }),
    /* @__PURE__ */ jsx22("button", { type: "button", class: "icon-button", "aria-label": position.last, onClick: () => go(viewport.toNewest()), children: /* @__PURE__ */ jsx22(MoreIcon, { name: "last" }) }),
    /* @__PURE__ */ jsxs20("label", { children: [
      /* @__PURE__ */ jsx22("span", { children: position.goTo }),
      /* @__PURE__ */ jsx22(
        "input",
        {
          type: "number",
          placeholder: formatNumber5(viewed),
          min: 1,
          max: total,
          value: number,
          onInput: (event) => setNumber(event.currentTarget.value)
        }
      )
    ] }),
    /* @__PURE__ */ jsx22("button", { type: "button", class: "icon-button", "aria-label": log.search, onClick: search3, children: /* @__PURE__ */ jsx22(MoreIcon, { name: "search" }) }),
    problem2 && /* @__PURE__ */ jsx22("span", { class: "remark error", role: "alert", children: problem2 })
  ] });
}

// src/more/SessionState.tsx
import { waiting } from "./app.js";
import { Fragment as Fragment12, jsx as jsx23, jsxs as jsxs21 } from "./vendor.js";
function SessionState({ session, isCurrent }) {
  const { pinned, unread, running: runs } = words.value.sessions;
  return /* @__PURE__ */ jsxs21(Fragment12, { children: [
    running.value.has(session.id) && !waiting.value.has(session.id) && /* @__PURE__ */ jsx23("span", { class: "badge running", children: runs }),
    !isCurrent && isUnread(session) && /* @__PURE__ */ jsx23("span", { class: "dot", role: "img", "aria-label": unread, title: unread }),
    session.pinned && /* @__PURE__ */ jsx23("span", { class: "pin", role: "img", "aria-label": pinned, title: pinned, children: /* @__PURE__ */ jsx23(MoreIcon, { name: "pin" }) })
  ] });
}

// src/more/Settings.tsx
import { useState as useState10 } from "./vendor.js";
import {
  chooseLanguage,
  chooseSendKey,
  hasCredential,
  LANGUAGES,
  language as language2,
  nameOf as nameOf4,
  openDialog as openDialog2,
  SEND_KEYS,
  sendKey as sendKey2,
  signOut,
  strings as strings12,
  summary
} from "./app.js";

// src/more/theme.ts
import { signal as signal11 } from "./vendor.js";
import { load as load5, save as save5 } from "./app.js";
var THEMES = ["auto", "light", "dark"];
var KEY2 = "turnkit.theme";
var theme = signal11(THEMES.find((theme2) => theme2 === load5(KEY2)) ?? "auto");
function chooseTheme(chosen) {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
  save5(KEY2, chosen === "auto" ? void 0 : chosen);
}

// src/more/Settings.tsx
import { Fragment as Fragment13, jsx as jsx24, jsxs as jsxs22 } from "./vendor.js";
function Settings() {
  const text = words.value.settings;
  return /* @__PURE__ */ jsxs22("div", { class: "screen settings", children: [
    /* @__PURE__ */ jsx24("h1", { children: strings12.value.settings.title }),
    /* @__PURE__ */ jsx24(
      Choice2,
      {
        label: text.theme,
        list: THEMES,
        value: theme.value,
        choose: chooseTheme,
        name: (one) => text.themes[one]
      }
    ),
    /* @__PURE__ */ jsx24(
      Choice2,
      {
        label: text.density,
        list: DENSITIES,
        value: density.value,
        choose: chooseDensity,
        name: (one) => text.densities[one]
      }
    ),
    /* @__PURE__ */ jsx24(
      Choice2,
      {
        label: text.language,
        list: LANGUAGES,
        value: language2.value,
        choose: (one) => void chooseLanguage(one).catch(() => {
        }),
        name: nameOf4
      }
    ),
    /* @__PURE__ */ jsx24(
      Choice2,
      {
        label: text.sendKey,
        list: SEND_KEYS,
        value: sendKey2.value,
        choose: chooseSendKey,
        name: (one) => text.sendKeys[one]
      }
    ),
    /* @__PURE__ */ jsx24(Notifications, {}),
    /* @__PURE__ */ jsx24("button", { type: "button", onClick: () => openDialog2({ kind: "shortcuts" }), children: strings12.value.rail.shortcuts }),
    /* @__PURE__ */ jsx24("h2", { children: text.api }),
    /* @__PURE__ */ jsx24(Addresses, {}),
    /* @__PURE__ */ jsx24("h2", { children: text.page }),
    /* @__PURE__ */ jsxs22("p", { class: "remark", children: [
      text.build("69521f5968fd2df6"),
      " ·",
      " ",
      /* @__PURE__ */ jsx24("a", { href: "LICENSES.txt", target: "_blank", rel: "noopener", children: text.licences })
    ] }),
    hasCredential.value && /* @__PURE__ */ jsx24("button", { type: "button", onClick: signOut, children: text.signOut })
  ] });
}
function Choice2({ label, list, value, choose, name }) {
  return /* @__PURE__ */ jsxs22("label", { class: "note", children: [
    label,
    /* @__PURE__ */ jsx24(
      "select",
      {
        value,
        onChange: ({ currentTarget }) => choose(list.find((one) => one === currentTarget.value) ?? value),
        children: list.map((one) => /* @__PURE__ */ jsx24("option", { value: one, children: name(one) }, one))
      }
    )
  ] });
}
function Notifications() {
  const text = words.value.settings;
  const [isForbidden, setForbidden] = useState10(false);
  const choose = async (wanted2) => {
    const permission = wanted2 && typeof Notification !== "undefined" ? await Notification.requestPermission() : "denied";
    chooseNotifications(wanted2 && permission === "granted");
    setForbidden(wanted2 && permission !== "granted");
  };
  return /* @__PURE__ */ jsxs22("div", { children: [
    /* @__PURE__ */ jsxs22("label", { class: "check", children: [
      /* @__PURE__ */ jsx24(
        "input",
        {
          type: "checkbox",
          checked: notifies.value,
          onChange: ({ currentTarget }) => {
            void choose(currentTarget.checked).then(() => {
              currentTarget.checked = notifies.peek();
            });
          }
        }
      ),
      text.notifications
    ] }),
    isForbidden && /* @__PURE__ */ jsx24("p", { class: "remark error", role: "alert", children: text.forbidden })
  ] });
}
function Addresses() {
  const text = words.value.settings;
  const base = new URL(".", location.href).href;
  const key = summary.value && summary.value.auth !== "none" ? " \\\n  -H 'authorization: Bearer KEY'" : "";
  const example = [
    `curl -s ${base}api/v1/turns${key} \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '{"message": "What is 12.5% of 840?"}'`
  ].join("\n");
  return /* @__PURE__ */ jsxs22(Fragment13, { children: [
    /* @__PURE__ */ jsxs22("dl", { class: "addresses", children: [
      /* @__PURE__ */ jsx24(Address, { name: text.native, children: `${base}api/v1` }),
      /* @__PURE__ */ jsx24(Address, { name: "OpenAPI", children: `${base}openapi.json` }),
      /* @__PURE__ */ jsx24(Address, { name: "MCP", children: `${base}mcp` })
    ] }),
    /* @__PURE__ */ jsx24("pre", { tabIndex: 0, "aria-label": text.example, children: example }),
    /* @__PURE__ */ jsx24(CopyButton, { text: example })
  ] });
}
function Address({ name, children }) {
  return /* @__PURE__ */ jsxs22("div", { children: [
    /* @__PURE__ */ jsx24("dt", { children: name }),
    /* @__PURE__ */ jsxs22("dd", { children: [
      /* @__PURE__ */ jsx24("code", { children }),
      /* @__PURE__ */ jsx24(CopyButton, { text: children })
    ] })
  ] });
}

// src/more/sessions/SessionMenu.tsx
import { openDialog as openDialog3, strings as strings13 } from "./app.js";

// src/more/Menu.tsx
import { useEffect as useEffect8, useLayoutEffect, useRef as useRef4, useState as useState11 } from "./vendor.js";
import { Fragment as Fragment14, jsx as jsx25, jsxs as jsxs23 } from "./vendor.js";
function Menu({ label, items }) {
  const [isOpen2, setOpen] = useState11(false);
  const button = useRef4(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return /* @__PURE__ */ jsxs23(Fragment14, { children: [
    /* @__PURE__ */ jsx25(
      "button",
      {
        ref: button,
        type: "button",
        class: "icon-button",
        "aria-label": label,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen2,
        onClick: () => setOpen(!isOpen2),
        children: /* @__PURE__ */ jsx25(MoreIcon, { name: "dots" })
      }
    ),
    isOpen2 && /* @__PURE__ */ jsx25(Items, { label, items, anchor: button.current, close })
  ] });
}
function Items({ label, items, anchor, close }) {
  const menu = useRef4(null);
  useLayoutEffect(() => {
    if (menu.current && anchor) place(menu.current, anchor);
    menu.current?.querySelector("button")?.focus();
  }, []);
  useEffect8(() => {
    const leave2 = (event) => {
      const isInside = event.target instanceof Node && (menu.current?.contains(event.target) || anchor?.contains(event.target));
      if (!isInside) close();
    };
    addEventListener("pointerdown", leave2);
    addEventListener("scroll", leave2, true);
    return () => {
      removeEventListener("pointerdown", leave2);
      removeEventListener("scroll", leave2, true);
    };
  }, []);
  const press = (event) => {
    const all = [...menu.current?.querySelectorAll("button") ?? []];
    const place2 = all.findIndex((item) => item === document.activeElement);
    const target = { ArrowDown: place2 + 1, ArrowUp: place2 + all.length - 1, Home: 0, End: all.length - 1 }[event.key];
    if (target !== void 0) all[target % all.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
  };
  return /* @__PURE__ */ jsx25("div", { ref: menu, class: "menu", role: "menu", "aria-label": label, onKeyDown: press, children: items.map((item) => /* @__PURE__ */ jsx25(
    "button",
    {
      type: "button",
      role: "menuitem",
      tabIndex: -1,
      onClick: () => {
        close();
        item.run();
      },
      children: item.name
    },
    item.name
  )) });
}
function place(menu, anchor) {
  const { bottom, top, left: left2, right } = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isLeftToRight = getComputedStyle(anchor).direction === "ltr";
  const start = isLeftToRight ? right - width : left2;
  menu.style.right = "auto";
  menu.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  menu.style.top = `${bottom + height + 8 < innerHeight ? bottom + 4 : Math.max(8, top - height - 4)}px`;
}

// src/more/sessions/menuItems.ts
function menuItems(session, change, failed) {
  const { sessions: sessions3 } = words.value;
  const { pinned, archived } = session;
  const save6 = (format) => void exportSession(session, format).catch(failed);
  return [
    { name: pinned ? sessions3.unpin : sessions3.pin, run: () => change({ pinned: !pinned }) },
    { name: archived ? sessions3.unarchive : sessions3.archive, run: () => change({ archived: !archived }) },
    { name: sessions3.exportMarkdown, run: () => save6("md") },
    { name: sessions3.exportLines, run: () => save6("jsonl") }
  ];
}

// src/more/sessions/SessionMenu.tsx
import { jsx as jsx26 } from "./vendor.js";
function SessionMenu({ conversation }) {
  const { context, sessions: sessions3 } = words.value;
  const session = conversation.session.value;
  if (!session) return null;
  const change = (change2) => {
    if (change2.archived) archiveSession(session);
    else changeSession(session, change2).catch(reportFailure);
  };
  const items = [
    { name: strings13.value.log.search, run: () => conversation.search() },
    { name: sessions3.rename, run: () => openDialog3({ kind: "rename", session }) },
    ...menuItems(session, change, reportFailure),
    { name: context.open, run: () => openDialog3({ kind: "context", conversation }) },
    { name: sessions3.delete, run: () => removeSession(session) }
  ];
  return /* @__PURE__ */ jsx26(Menu, { label: sessions3.actions, items });
}

// src/more/sessions/Sessions.tsx
import { useEffect as useEffect9, useRef as useRef5, useState as useState12 } from "./vendor.js";
import {
  addressOf as addressOf3,
  client as client17,
  loadSessions as loadSessions3,
  messageOf as messageOf9,
  removing as removing3,
  search as search2,
  searchFor,
  SessionList,
  SessionRow,
  strings as strings15
} from "./app.js";

// src/more/sessions/Actions.tsx
import { openDialog as openDialog4, strings as strings14 } from "./app.js";
import { jsx as jsx27, jsxs as jsxs24 } from "./vendor.js";
function Actions({ session, changed, failed }) {
  const { sessions: sessions3 } = words.value;
  const title = session.title || strings14.value.sessions.untitled;
  const change = (change2) => void changeSession(session, change2).then(changed, failed);
  return /* @__PURE__ */ jsxs24("span", { class: "actions", children: [
    /* @__PURE__ */ jsx27(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": `${sessions3.rename}: ${title}`,
        onClick: () => openDialog4({ kind: "rename", session }),
        children: /* @__PURE__ */ jsx27(MoreIcon, { name: "rename" })
      }
    ),
    /* @__PURE__ */ jsx27(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": `${sessions3.delete}: ${title}`,
        onClick: () => removeSession(session),
        children: /* @__PURE__ */ jsx27(MoreIcon, { name: "delete" })
      }
    ),
    /* @__PURE__ */ jsx27(Menu, { label: `${sessions3.more}: ${title}`, items: menuItems(session, change, failed) })
  ] });
}

// src/more/sessions/Sessions.tsx
import { Fragment as Fragment15, jsx as jsx28, jsxs as jsxs25 } from "./vendor.js";
var TYPING_MS = 200;
function Sessions() {
  const text = words.value.sessions;
  const [problem2, setProblem] = useState12("");
  const [isArchive, setArchive] = useState12(false);
  const [changes, setChanges] = useState12(0);
  const failed = (error) => {
    setProblem(strings15.peek().page.failed(messageOf9(error)));
  };
  const changed = () => {
    setProblem("");
    setChanges(changes + 1);
    void loadSessions3().catch(failed);
  };
  const actions = (session) => /* @__PURE__ */ jsx28(Actions, { session, changed, failed });
  return /* @__PURE__ */ jsxs25("div", { class: "screen", children: [
    /* @__PURE__ */ jsx28("h1", { children: isArchive ? text.archiveTitle : strings15.value.sessions.title }),
    /* @__PURE__ */ jsxs25("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx28(ImportButton, { failed }),
      /* @__PURE__ */ jsx28("button", { type: "button", "aria-pressed": isArchive, onClick: () => setArchive(!isArchive), children: text.archiveTitle })
    ] }),
    problem2 && /* @__PURE__ */ jsx28("p", { class: "remark error", role: "alert", children: problem2 }),
    isArchive ? /* @__PURE__ */ jsx28(Archive, { actions, failed }, changes) : /* @__PURE__ */ jsx28(SessionList, { actions })
  ] });
}
function ImportButton({ failed }) {
  const input = useRef5(null);
  const [isBusy, setBusy] = useState12(false);
  const take = (file) => {
    if (!file) return;
    setBusy(true);
    importSession(file).then(({ id }) => {
      location.hash = addressOf3(id);
    }, failed).finally(() => setBusy(false));
  };
  return /* @__PURE__ */ jsxs25(Fragment15, { children: [
    /* @__PURE__ */ jsx28("button", { type: "button", disabled: isBusy, onClick: () => input.current?.click(), children: words.value.sessions.import }),
    /* @__PURE__ */ jsx28(
      "input",
      {
        ref: input,
        type: "file",
        accept: ".jsonl,application/jsonl,application/x-ndjson",
        hidden: true,
        onChange: ({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          currentTarget.value = "";
        }
      }
    )
  ] });
}
function Archive({ actions, failed }) {
  const [found, setFound] = useState12();
  const [next, setNext] = useState12(null);
  const asked = useRef5(0);
  const query = search2.value;
  const load6 = async (cursor) => {
    asked.current += 1;
    const mine = asked.current;
    const page = await client17.sessions({ archived: true, query, ...cursor && { cursor } });
    if (mine !== asked.current) return;
    setFound((known2) => [...cursor ? known2 ?? [] : [], ...page.data]);
    setNext(page.next);
  };
  useEffect9(() => {
    const timer = setTimeout(() => void load6().catch(failed), query ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [query]);
  const { more, noneFound, search: label } = strings15.value.sessions;
  const shown = found?.filter(({ id }) => !removing3.value.includes(id));
  return /* @__PURE__ */ jsxs25("div", { class: "session-list", children: [
    /* @__PURE__ */ jsx28(
      "input",
      {
        type: "search",
        "aria-label": label,
        placeholder: label,
        dir: "auto",
        value: query,
        onInput: ({ currentTarget }) => searchFor(currentTarget.value)
      }
    ),
    shown?.length === 0 && /* @__PURE__ */ jsx28("p", { class: "remark", children: query ? noneFound : words.value.sessions.archiveEmpty }),
    /* @__PURE__ */ jsx28("ul", { children: shown?.map((session) => /* @__PURE__ */ jsx28(SessionRow, { session, chosen: void 0, actions }, session.id)) }),
    next !== null && /* @__PURE__ */ jsx28("button", { type: "button", class: "quiet", onClick: () => void load6(next).catch(failed), children: more })
  ] });
}

// src/more/SignIn.tsx
import { useState as useState13 } from "./vendor.js";
import { Problem, problem, signIn, strings as strings16, summary as summary2 } from "./app.js";
import { jsx as jsx29, jsxs as jsxs26 } from "./vendor.js";
function SignIn() {
  const text = words.value.signIn;
  const [entered, setEntered] = useState13("");
  const [stays, setStays] = useState13(false);
  const [isAsking, setAsking] = useState13(false);
  const mode = summary2.value?.auth;
  const label = mode === "jwt" ? text.token : mode === "api_key_or_jwt" ? text.keyOrToken : text.key;
  const submit = (event) => {
    event.preventDefault();
    setAsking(true);
    void signIn(entered, stays).finally(() => setAsking(false));
  };
  return /* @__PURE__ */ jsx29("main", { class: "sign-in", children: /* @__PURE__ */ jsxs26("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsx29("h1", { children: strings16.value.signIn.title }),
    /* @__PURE__ */ jsxs26("label", { class: "note", children: [
      label,
      /* @__PURE__ */ jsx29(
        "input",
        {
          type: "password",
          autocomplete: "off",
          spellcheck: false,
          value: entered,
          "aria-invalid": problem.value !== void 0,
          onInput: (event) => setEntered(event.currentTarget.value)
        }
      )
    ] }),
    /* @__PURE__ */ jsx29(Problem, {}),
    /* @__PURE__ */ jsxs26("label", { class: "check", children: [
      /* @__PURE__ */ jsx29("input", { type: "checkbox", checked: stays, onChange: (event) => setStays(event.currentTarget.checked) }),
      text.stay
    ] }),
    /* @__PURE__ */ jsx29("button", { class: "primary", disabled: isAsking || entered.trim() === "", children: text.submit }),
    mode !== "jwt" && /* @__PURE__ */ jsxs26("p", { class: "remark", children: [
      text.explanation,
      " ",
      /* @__PURE__ */ jsx29("code", { children: "turnkit keys create NAME" })
    ] })
  ] }) });
}

// src/more/turns/EditMessage.tsx
import { useLayoutEffect as useLayoutEffect2, useRef as useRef6 } from "./vendor.js";
import { sendKey as sendKey3, strings as strings17 } from "./app.js";
import { jsx as jsx30, jsxs as jsxs27 } from "./vendor.js";
function EditMessage({ conversation, view }) {
  const button = useRef6(null);
  const edit = edits.value.get(view.turn_id);
  const wasOpen = useRef6(false);
  useLayoutEffect2(() => {
    if (wasOpen.current && !edit && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = edit !== void 0;
  }, [edit]);
  useLayoutEffect2(() => restoreEdit(conversation.id, view), [conversation, view.turn_id]);
  if (edit) return /* @__PURE__ */ jsx30(EditField, { conversation, edit });
  if (!canEdit(view)) return null;
  return /* @__PURE__ */ jsx30(
    "button",
    {
      ref: button,
      type: "button",
      class: "icon-button edit-turn",
      "aria-label": words.value.turns.edit,
      title: words.value.turns.edit,
      onClick: () => beginEdit(conversation.id, view),
      children: /* @__PURE__ */ jsx30(MoreIcon, { name: "rename" })
    }
  );
}
function EditField({ conversation, edit }) {
  const { turns } = words.value;
  const field = useRef6(null);
  const text = edit.text.value;
  const state = edit.state.value;
  useLayoutEffect2(() => {
    if (edit.isNew) field.current?.focus();
    edit.isNew = false;
  }, [edit]);
  useLayoutEffect2(() => grow(field.current), [text]);
  const send = async () => {
    if (await edit.send(conversation)) document.getElementById("message")?.focus();
  };
  const press = (event) => {
    if (event.isComposing) return;
    const isControlled = event.ctrlKey || event.metaKey;
    if (event.key === "Escape" && !edit.isSending.peek()) edit.close();
    else if (event.key === "Enter" && (sendKey3.value === "enter" ? !event.shiftKey : isControlled)) void send();
    else return;
    event.preventDefault();
  };
  return /* @__PURE__ */ jsxs27(
    "form",
    {
      class: "note",
      "aria-label": turns.editing,
      onSubmit: (event) => {
        event.preventDefault();
        void send();
      },
      children: [
        /* @__PURE__ */ jsx30(
          "textarea",
          {
            ref: field,
            rows: 1,
            dir: "auto",
            "aria-label": turns.text,
            value: text,
            placeholder: state === "loading" ? strings17.value.page.loading : void 0,
            "aria-busy": state === "loading",
            readOnly: edit.isSending.value || state !== "ready",
            onInput: (event) => edit.write(event.currentTarget.value),
            onKeyDown: press
          }
        ),
        edit.problem.value && /* @__PURE__ */ jsx30("p", { class: "remark error", role: "alert", children: edit.problem.value }),
        /* @__PURE__ */ jsxs27("span", { class: "buttons", children: [
          state === "failed" ? /* @__PURE__ */ jsx30("button", { type: "button", onClick: () => void edit.load(), children: words.value.files.retry }) : /* @__PURE__ */ jsx30("button", { class: "primary", disabled: edit.isSending.value || text.trim() === "", children: turns.send }),
          /* @__PURE__ */ jsx30("button", { type: "button", disabled: edit.isSending.value, onClick: () => edit.close(), children: strings17.value.page.cancel })
        ] })
      ]
    }
  );
}

// src/more/turns/Rest.tsx
import { useState as useState14 } from "./vendor.js";
import { messageOf as messageOf10 } from "./app.js";
import { jsx as jsx31, jsxs as jsxs28 } from "./vendor.js";
function Rest({ view, part }) {
  const { turns } = words.value;
  const [problem2, setProblem] = useState14("");
  if (!lacksRest(view, part)) return null;
  const show = (button) => {
    const log = button.closest(".log");
    setProblem("");
    loadRest(view, part).then(
      () => {
        log?.focus({ preventScroll: true });
        log?.scrollBy(0, -2);
      },
      (error) => setProblem(turns.restFailed(messageOf10(error)))
    );
  };
  return /* @__PURE__ */ jsxs28("p", { class: problem2 ? "remark error" : "remark", role: problem2 ? "alert" : void 0, children: [
    problem2 || turns.cut,
    " ",
    /* @__PURE__ */ jsx31("button", { type: "button", class: "quiet", onClick: (event) => show(event.currentTarget), children: turns.showAll })
  ] });
}

// src/more/turns/TurnFooter.tsx
import { useState as useState15 } from "./vendor.js";
import { addressOf as addressOf4, maySee as maySee2, strings as strings19 } from "./app.js";

// src/later/duration.ts
import { locale as locale4 } from "./app.js";
var SECOND = 1e3;
var MINUTE = 60;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
function formatSpan(milliseconds) {
  const whole = Math.round(milliseconds);
  if (whole < SECOND) return unit(whole, "millisecond");
  const tenths = Math.round(whole / 100) / 10;
  if (tenths < MINUTE) return unit(tenths, "second");
  const seconds = Math.round(whole / SECOND);
  if (seconds < HOUR) return both(seconds, MINUTE, "minute", "second");
  const minutes = Math.round(seconds / MINUTE);
  if (minutes * MINUTE < DAY) return both(minutes, HOUR / MINUTE, "hour", "minute");
  return both(Math.round(seconds / HOUR), DAY / HOUR, "day", "hour");
}
function both(value, size, larger, smaller) {
  const rest = value % size;
  const whole = unit(Math.floor(value / size), larger);
  return rest === 0 ? whole : `${whole} ${unit(rest, smaller)}`;
}
function unit(value, name) {
  const unitDisplay = name === "day" ? "long" : "short";
  const options = { style: "unit", unit: name, unitDisplay, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale4.value, options).format(value).replace(" ", " ");
}

// src/later/money.ts
import { locale as locale5 } from "./app.js";
var DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" };
function formatMoney(nano) {
  const dollars = nano / 1e9;
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.1;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale5.value, { ...DOLLARS, ...digits }).format(dollars);
}

// src/later/tokens.ts
function tokensOf(usage) {
  return usage ? usage.fresh + usage.cache_read + usage.cache_write + usage.output : 0;
}

// src/more/turns/facts.ts
import { formatNumber as formatNumber6, strings as strings18 } from "./app.js";
function factsOf(view) {
  const { turns } = words.value;
  const { usage, cost, status } = view;
  const tokens = tokensOf(usage);
  const first = view.steps[0]?.first_ms;
  const took = Date.parse(view.ended_at ?? "") - Date.parse(view.accepted_at ?? "");
  const facts = [
    status && status !== "completed" && strings18.value.status.ended[status],
    view.agent,
    view.steps.at(-1)?.model,
    first !== void 0 && turns.firstToken(formatSpan(first)),
    took >= 0 && turns.duration(formatSpan(took)),
    tokens > 0 && turns.tokens(formatNumber6(tokens)),
    cost && cost.nano_usd > 0 && formatMoney(cost.nano_usd),
    cost && cost.unpriced_calls > 0 && turns.unpriced
  ];
  return facts.filter((fact) => typeof fact === "string" && fact !== "");
}

// src/more/turns/retry.ts
import { ApiError as ApiError4, client as client18, newKey as newKey2 } from "./app.js";
var keys = /* @__PURE__ */ new Map();
async function retry(conversation, turn) {
  demandIdle(conversation);
  const path = `api/v1/turns/${turn}/regenerate`;
  const body = { ...fieldsOf(loadOptions(conversation.id)), interact: true };
  const request2 = path + JSON.stringify(body);
  const key = keys.get(request2) ?? newKey2();
  keys.set(request2, key);
  try {
    const response = await client18.send("POST", path, body, void 0, { "idempotency-key": key });
    const started = await response.json();
    keys.delete(request2);
    conversation.noteStarted(started.turn_id, conversation.history.versions.peek().get(turn)?.after);
  } catch (error) {
    if (error instanceof ApiError4 && error.status >= 400 && error.status < 500) keys.delete(request2);
    throw error;
  }
}

// src/more/turns/VersionSwitch.tsx
import { useLayoutEffect as useLayoutEffect3, useRef as useRef7 } from "./vendor.js";
import { jsx as jsx32, jsxs as jsxs29 } from "./vendor.js";
var wanted;
function VersionSwitch({ history, turn, show }) {
  const { turns } = words.value;
  const buttons = useRef7(null);
  const versions = versionsOf(history, turn);
  const place2 = versions.indexOf(turn);
  useLayoutEffect3(() => {
    if (wanted?.version !== turn) return;
    const all = [...buttons.current?.querySelectorAll("button") ?? []];
    const pressed = all[wanted.step < 0 ? 0 : 1];
    wanted = void 0;
    const target = pressed?.disabled ? all.find((button) => !button.disabled) : pressed;
    requestAnimationFrame(() => target?.focus());
  }, []);
  if (versions.length < 2) return null;
  const go = (step) => {
    const version = versions[place2 + step];
    if (!version) return;
    wanted = { version, step };
    show(version);
  };
  return /* @__PURE__ */ jsxs29("span", { ref: buttons, class: "versions", role: "group", "aria-label": turns.versions, children: [
    /* @__PURE__ */ jsx32("button", { type: "button", class: "quiet", "aria-label": turns.previous, disabled: place2 === 0, onClick: () => go(-1), children: "‹" }),
    /* @__PURE__ */ jsxs29("span", { role: "status", children: [
      /* @__PURE__ */ jsx32("span", { class: "unseen", children: turns.version(place2 + 1, versions.length) }),
      /* @__PURE__ */ jsxs29("span", { "aria-hidden": "true", children: [
        place2 + 1,
        "/",
        versions.length
      ] })
    ] }),
    /* @__PURE__ */ jsx32(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": turns.next,
        disabled: place2 === versions.length - 1,
        onClick: () => go(1),
        children: "›"
      }
    )
  ] });
}

// src/more/turns/TurnFooter.tsx
import { Fragment as Fragment16, jsx as jsx33, jsxs as jsxs30 } from "./vendor.js";
function TurnFooter({ conversation, viewport, view }) {
  const { turns } = words.value;
  const [problem2, setProblem] = useState15("");
  const [isBusy, setBusy] = useState15(false);
  const { turn_id: turn } = view;
  const texts = view.parts.filter(({ type }) => type === "text");
  const answer = texts.map((part) => textOfPart(view, part)).join("\n\n");
  const isWhole = !texts.some((part) => lacksRest(view, part));
  const loadAnswer = async () => (await Promise.all(texts.map((part) => loadRest(view, part)))).join("\n\n");
  const link = new URL(`${addressOf4(conversation.id)}/t/${turn}`, location.href).href;
  const fail = (error) => setProblem(reasonOf(error, strings19.peek().page.failed));
  const run = (action) => {
    if (isBusy) return;
    setBusy(true);
    setProblem("");
    void action().catch(fail).finally(() => setBusy(false));
  };
  const show = (version) => {
    run(() => showVersion(conversation, viewport, version, document.getElementById(`t-${turn}`)));
  };
  return /* @__PURE__ */ jsxs30(Fragment16, { children: [
    /* @__PURE__ */ jsx33("span", { children: factsOf(view).join(" · ") }),
    /* @__PURE__ */ jsxs30("span", { class: "buttons", children: [
      answer && /* @__PURE__ */ jsx33(CopyButton, { text: isWhole ? answer : loadAnswer, failed: fail }),
      view.input.length > 0 && /* @__PURE__ */ jsx33("button", { type: "button", class: "quiet", onClick: () => run(() => retry(conversation, turn)), children: turns.retry }),
      /* @__PURE__ */ jsx33(CopyButton, { text: link, name: turns.link }),
      maySee2("turns") && /* @__PURE__ */ jsx33("a", { href: `#/turns/${turn}`, children: turns.timeline }),
      /* @__PURE__ */ jsx33(VersionSwitch, { history: conversation.history, turn, show })
    ] }),
    problem2 && /* @__PURE__ */ jsx33("p", { class: "error", role: "alert", children: problem2 })
  ] });
}

// src/more/index.ts
addStyles(more_default);
watchAttention();
watchDecisions();
watchSeen();
export {
  AboveField,
  EditMessage,
  MessageExtras,
  Notices,
  Offline,
  OperatorLinks,
  Overlays,
  Position,
  Rest,
  SessionMenu,
  SessionState,
  Sessions,
  Settings,
  SignIn,
  Tools,
  TurnFooter,
  forgetUnsent,
  groupsOf,
  noteRunning,
  offlineSuggestions,
  textOfPart
};
