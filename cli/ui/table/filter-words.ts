/**
 * A filter: words, all of which must be true of a row.
 *
 *     text  !text  "two words"   contained in any field or column
 *     field:value                contained in that field
 *     field:=value               equal to that field
 *     field:>1h  field:<20       older, or more; newer, or less
 *     !field:value  field:!value  not
 *
 * Case does not matter. A word before a colon that is not a field is text, so that an address or a time can be
 * searched.
 */
export interface FilterWord {
  isNot: boolean;
  /** Undefined: anywhere. */
  field: string | undefined;
  kind: 'has' | 'is' | 'over' | 'under';
  /** In lower case, never empty. */
  value: string;
}

/** A word as typed, and how much of its beginning is outside quotes. */
interface Written {
  text: string;
  bare: number;
}

const signs = { '=': 'is', '>': 'over', '<': 'under' } as const;
const isSign = (sign: string): sign is keyof typeof signs => sign in signs;

/** An incomplete word, as in `seen:` or `!`, keeps all rows. */
export function parseFilter(text: string, fields: readonly string[]): FilterWord[] {
  return split(text).flatMap((written) => {
    const word = wordOf(written, fields);
    return word.value === '' ? [] : [word];
  });
}

function wordOf({ text, bare }: Written, fields: readonly string[]): FilterWord {
  const isNot = bare > 0 && text.startsWith('!');
  const start = isNot ? 1 : 0;
  const colon = text.indexOf(':');
  const field = text.slice(start, colon).toLowerCase();
  if (colon < start || colon >= bare || !fields.includes(field))
    return { isNot, field: undefined, kind: 'has', value: text.slice(start).toLowerCase() };
  const isBare = (at: number) => at < bare;
  const isNotInField = text.charAt(colon + 1) === '!' && isBare(colon + 1);
  const begin = colon + (isNotInField ? 2 : 1);
  const sign = text.charAt(begin);
  const isSigned = isSign(sign) && isBare(begin);
  return {
    isNot: isNot !== isNotInField,
    field,
    kind: isSigned ? signs[sign] : 'has',
    value: text.slice(isSigned ? begin + 1 : begin).toLowerCase(),
  };
}

function split(text: string): Written[] {
  const words: Written[] = [];
  let word: Written | undefined;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (!isQuoted && /\s/.test(character)) {
      word = undefined;
      continue;
    }
    if (!word) words.push((word = { text: '', bare: 0 }));
    if (character === '"') {
      isQuoted = !isQuoted;
    } else {
      const isEscape = isQuoted && character === '\\' && index + 1 < text.length;
      if (isEscape) index += 1;
      // Only text before the first quote is bare: later signs have no meaning.
      if (!isQuoted && word.bare === word.text.length) word.bare += 1;
      word.text += isEscape ? text.charAt(index) : character;
    }
  }
  return words;
}

/** The word that keeps the rows whose field equals the value. */
export function exactly(field: string, value: string): string {
  const isBare = /^[^\s"\\]+$/.test(value);
  return `${field}:=${isBare ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}
