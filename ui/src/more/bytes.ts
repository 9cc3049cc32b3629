import { locale } from "../shared";

/** Formats a number of bytes. */
export function formatBytes(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte"] as const;
  const power = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const unitDisplay = power === 0 ? "long" : "short";
  const options = { style: "unit", unit: units[power], unitDisplay, maximumFractionDigits: power } as const;
  return new Intl.NumberFormat(locale.value, options).format(bytes / 1_000 ** power);
}
