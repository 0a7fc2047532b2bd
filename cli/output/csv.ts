import { safeText } from './safe.ts';

/** Characters that start a spreadsheet formula, which may send neighbouring cells elsewhere; a plain number is safe. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20](?!\d+(?:\.\d+)?$)/;
const needsQuotes = /[",\n]|^\s|\s$/;

/**
 * A CSV record (RFC 4180), without its line end. Its texts are safe for terminals and spreadsheets. Written by hand: a
 * library would only add the quotes.
 */
export const csvLine = (cells: readonly string[]): string => cells.map(cellOf).join(',');

function cellOf(text: string): string {
  const safe = safeText(formula.test(text) ? `'${text}` : text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
