import { safeText } from './safe.ts';

/** With these a spreadsheet begins a formula, which may send what stands beside it elsewhere; a plain number is none. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20](?!\d+(?:\.\d+)?$)/;
const needsQuotes = /[",\n]|^\s|\s$/;

/**
 * A record of CSV (RFC 4180), without its line end. Its texts are harmless to a terminal and to a spreadsheet. Written by hand: a library would add
 * the quotes alone.
 */
export const csvLine = (cells: readonly string[]): string => cells.map(cellOf).join(',');

function cellOf(text: string): string {
  const safe = safeText(formula.test(text) ? `'${text}` : text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
