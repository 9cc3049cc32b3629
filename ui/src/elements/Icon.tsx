const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  send: "M12 19V5m-6 6 6-6 6 6",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  down: "M12 5v14m-6-6 6 6 6-6",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M14 4.5v5M10 14.5v5",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  rename: "M4 20h4L19 9l-4-4L4 16z",
  turns: "M4 6h9M7 12h11M13 18h7",
  usage: "M5 20v-7M12 20V5M19 20v-11",
  providers: "M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01",
  tools: "M14 7a4 4 0 0 1 5-4l-2.5 2.5 2 2L21 5a4 4 0 0 1-5 5L8 18.5A2 2 0 0 1 5.5 15.5z",
  keys: "M15 9a4 4 0 1 1-4-4 4 4 0 0 1 4 4zM14 12l6 6v2h-3l-1.5-1.5",
  delete: "M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13",
  attach: "M20 11.5 12.5 19a5 5 0 0 1-7-7L13 4.5a3.3 3.3 0 0 1 4.7 4.7l-7.5 7.5a1.7 1.7 0 0 1-2.4-2.4l6.7-6.7",
  document: "M6 3h8l4 4v14H6zM14 3v4h4",
  keyboard: "M3 7h18v10H3zM7 13.5h10M7 10.5h.01M10.3 10.5h.01M13.6 10.5h.01M17 10.5h.01",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  dots: "M4.5 12h1M11.5 12h1M18.5 12h1",
};

/** A symbol. The control around it has the name. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
