// src/strings/de.ts
var de = {
  page: {
    direction: "ltr",
    title: "turnkit",
    skip: "Zum Inhalt springen",
    lost: "Die Verbindung zum Server ist unterbrochen. Neuer Versuch…",
    newBuild: "Auf dem Server liegt eine neuere Fassung dieser Seite.",
    reload: "Neu laden",
    close: "Schließen",
    cancel: "Abbrechen",
    loading: "Wird geladen…",
    unreachable: "Der Server ist nicht erreichbar.",
    tryAgain: "Erneut versuchen",
    notLoaded: "Dieser Teil der Seite konnte nicht geladen werden. Möglicherweise wurde der Server aktualisiert, oder er ist nicht erreichbar.",
    failed: (message) => `Das hat nicht geklappt: ${message}`,
    notFound: "Diese Unterhaltung gibt es nicht, oder sie gehört jemand anderem."
  },
  signIn: {
    title: "Anmelden",
    refused: "Der Server hat die Anmeldung abgelehnt.",
    lacks: "Dem Schlüssel fehlt die Berechtigung „read“, die diese Seite braucht."
  },
  sessions: {
    title: "Unterhaltungen",
    new: "Neue Unterhaltung",
    search: "Unterhaltungen durchsuchen",
    none: "Noch keine Unterhaltungen",
    noneFound: "Nichts gefunden",
    more: "Mehr anzeigen",
    untitled: "Ohne Titel",
    list: "Alle Unterhaltungen"
  },
  needs: {
    title: "Wartet auf Sie",
    count: (count) => count === 1 ? "1 Entscheidung" : `${count} Entscheidungen`,
    none: "Zurzeit steht keine Entscheidung aus."
  },
  chat: {
    conversation: "Unterhaltung",
    message: "Nachricht",
    placeholder: "Nachricht schreiben",
    send: "Senden",
    stop: "Stoppen",
    stopping: "Wird gestoppt…",
    latest: "Zum Ende springen",
    welcome: "Was kann ich für Sie tun?",
    you: "Sie",
    empty: "Es wurde nichts geschrieben.",
    copy: "Kopieren",
    copied: "Kopiert",
    reasoning: "Überlegung",
    withdraw: "Zurückziehen",
    queued: "Wartet, bis sie an der Reihe ist",
    steering: "Wird im nächsten Schritt gelesen",
    image: "Bild",
    externalImage: (host) => `Bild von ${host}`,
    suggestions: ["Wie viel sind 12,5 % von 840?", "Welcher Tag ist heute?", "Sag Hallo"]
  },
  log: {
    turn: (number) => `Durchlauf ${number}`,
    search: "Diese Unterhaltung durchsuchen",
    found: "Gefundene Durchläufe"
  },
  status: {
    ready: "Bereit",
    connecting: "Wird verbunden…",
    answering: "Antwortet…",
    thinking: "Wartet auf das Modell…",
    tool: (name) => `${name} läuft…`,
    decision: "Wartet auf Ihre Entscheidung",
    stopping: "Wird gestoppt…",
    lost: "Verbindung unterbrochen",
    ended: {
      completed: "Fertig",
      failed: "Fehlgeschlagen",
      cancelled: "Gestoppt",
      limit: "Limit erreicht",
      interrupted: "Durch eine andere Nachricht unterbrochen",
      expired: "Abgelaufen"
    }
  },
  tool: {
    waiting: "wartet auf Sie",
    writing: "wird vorbereitet",
    running: "läuft",
    done: "fertig",
    failed: "fehlgeschlagen",
    denied: "abgelehnt"
  },
  settings: {
    title: "Einstellungen"
  },
  composer: {
    steer: "An laufende Antwort senden",
    steerHint: "Die laufende Antwort liest die Nachricht im nächsten Schritt.",
    queueHint: "Die Nachricht wartet, bis die laufende Antwort fertig ist.",
    steering: "geht an die laufende Antwort",
    queued: "wartet",
    waiting: "Wartende Nachrichten"
  },
  tasks: {
    done: "erledigt",
    open: "offen"
  },
  rail: {
    shortcuts: "Tastenkürzel"
  },
  operator: {
    title: "Betrieb",
    turns: "Durchläufe",
    usage: "Verbrauch",
    providers: "Anbieter",
    tools: "Werkzeuge",
    keys: "Schlüssel",
    recordings: "Aufzeichnungen"
  },
  feed: {
    deleted: "Diese Unterhaltung wurde gelöscht."
  }
};
export {
  de
};
