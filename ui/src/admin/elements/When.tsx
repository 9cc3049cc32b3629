import { formatTime } from "../../shared";
import { formatFull, formatRelative } from "../intl";

/** A time, with the full one as its title. */
export function When({ time, isRelative = false }: { time: string | null | undefined; isRelative?: boolean }) {
  if (!time) return <>–</>;
  return (
    <time dateTime={time} title={formatFull(time)}>
      {isRelative ? formatRelative(time) : formatTime(time)}
    </time>
  );
}
