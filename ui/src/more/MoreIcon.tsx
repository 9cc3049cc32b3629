import { Drawing } from "../shared";

const PATHS = {
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
  dots: "M4.5 12h1M11.5 12h1M18.5 12h1",
};

/** A symbol that the page does not need at once. */
export function MoreIcon({ name }: { name: keyof typeof PATHS }) {
  return <Drawing path={PATHS[name]} />;
}
