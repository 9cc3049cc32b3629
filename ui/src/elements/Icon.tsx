const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  send: "M12 19V5m-6 6 6-6 6 6",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  down: "M12 5v14m-6-6 6 6 6-6",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M14 4.5v5M10 14.5v5",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  keyboard: "M3 7h18v10H3zM7 13.5h10M7 10.5h.01M10.3 10.5h.01M13.6 10.5h.01M17 10.5h.01",
};

/** A symbol. The control around it has the name. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return <Drawing path={PATHS[name]} />;
}

/** A drawing of lines, in the size of a symbol. */
export function Drawing({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
