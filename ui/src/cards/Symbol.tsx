const PATHS = {
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  copied: "M5 12.5l4.5 4.5L19 7.5",
  open: "M9 6l6 6-6 6",
};

/** A symbol of the cards. The control around it has the name. */
export function Symbol({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
