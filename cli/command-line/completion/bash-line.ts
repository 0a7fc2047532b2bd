/** A line up to the cursor, as bash reads it. */
interface BashLine {
  complete: string[];
  /** The word at the cursor, without its quotes. */
  current: string;
  /** The quote that is open at the cursor. */
  quote: '"' | "'" | '';
  /** Length of the end of `current` that readline replaces. */
  seen: number;
}

/**
 * Splits a line into its words without expanding anything in it. Only the last command counts: after `;`, `|`, `&` or
 * `(`. `breaks`: COMP_WORDBREAKS, at which readline begins a new word outside quotes.
 */
export function splitBashLine(line: string, breaks: string): BashLine {
  let complete: string[] = [];
  let word: string | undefined;
  let quote: BashLine['quote'] = '';
  let seenFrom = 0;
  const add = (text: string) => (word = (word ?? '') + text);
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (char === '\\' && quote === '"' && /[\\"$`]/.test(line[index + 1] ?? '')) add(line[(index += 1)] ?? '');
      else add(char);
    } else if (char === '"' || char === "'") {
      quote = char;
      add('');
      seenFrom = word?.length ?? 0;
    } else if (char === '\\') add(line[(index += 1)] ?? '');
    else if (/\s/.test(char) || /[;|&(]/.test(char)) {
      if (word !== undefined) complete.push(word);
      if (!/\s/.test(char)) complete = [];
      [word, seenFrom] = [undefined, 0];
    } else {
      add(char);
      if (breaks.includes(char)) seenFrom = word?.length ?? 0;
    }
  }
  const current = word ?? '';
  return { complete, current, quote, seen: current.length - seenFrom };
}
