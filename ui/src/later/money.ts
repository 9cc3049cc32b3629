import { locale } from "../shared";

const DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;

/** Formats a price in billionths of a dollar: to the cent, and small ones with two digits. */
export function formatMoney(nano: number): string {
  const dollars = nano / 1e9;
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.1;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale.value, { ...DOLLARS, ...digits }).format(dollars);
}
