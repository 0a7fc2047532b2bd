import { nearest } from '../../command-line/suggest.ts';

/**
 * A filter: words, all of which must be true of a row.
 *
 *     text  !text  "two words"   contained in any field or column
 *     field:value                contained in that field
 *     field=value  field:=value  equal to that field; != is not equal
 *     field<20  field>=1h        less, or newer; more, or older; field:<20 is the same
 *     !field:value  field:!value  not
 *     -l tier=canary,zone!=b     labels, as in kubectl: all of these, exactly
 *
 * Case does not matter. Quotes make text of anything. A word with a colon or a comparison whose beginning is not a field
 * is a fault if that is a word, and text if it is not: times and addresses can be searched.
 */
export interface FilterWord {
  isNot: boolean;
  /** Undefined: anywhere. */
  field: string | undefined;
  /** `starts`: a value of the field starts with it. */
  kind: 'has' | 'is' | 'starts' | 'over' | 'under' | 'least' | 'most';
  /** In lower case, never empty. */
  value: string;
  /** Why it cannot be used, as a sentence without its end: no row matches it. */
  fault?: string;
}

/** Fields that have these values and no others, in lower case. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** A word as typed, and how much of its beginning is outside quotes. */
interface Written {
  text: string;
  bare: number;
}

const signs = { '=': 'is', '>=': 'least', '<=': 'most', '>': 'over', '<': 'under' } as const;
type Sign = keyof typeof signs;

/** Field, and the sign after it. */
const fieldWord = /^(!?)([\p{L}][\p{L}\p{N}_-]*)(!?[<>]=?|!?=|:!?(?:[<>]=?|=)?)/u;
/** Shorter ones are parts of addresses. */
const leastOfKey = 3;
/** `90`, `90%` and `1.5`, and ages such as `20s`, `5m`, `1h`, `2d`, `1w`. */
export const limitShape = /^(\d+(?:\.\d+)?)([smhdw%]?)$/;

/** An incomplete word, as in `seen:` or `!`, keeps all rows. */
export function parseFilter(text: string, fields: readonly string[], values: KnownValues = {}): FilterWord[] {
  const written = split(text);
  return written
    .flatMap((word, index): FilterWord[] => {
      if (isSelectorFlag(written[index - 1])) return selectorWords(word.text, fields);
      return isSelectorFlag(word) ? [] : [wordOf(word, fields, values)];
    })
    .filter(({ value }) => value !== '');
}

/** The first fault of a filter. */
export const filterFault = (text: string, fields: readonly string[], values?: KnownValues): string | undefined =>
  parseFilter(text, fields, values).find(({ fault }) => fault !== undefined)?.fault;

const isSelectorFlag = (word: Written | undefined) => word?.text === '-l' && word.bare === word.text.length;

/** `tier=canary`, `tier!=canary`, `tier` and `!tier`, several separated by commas. */
function selectorWords(text: string, fields: readonly string[]): FilterWord[] {
  const field = 'label';
  const fault = fields.includes(field) ? {} : { fault: unknownField(field, fields) };
  return text
    .toLowerCase()
    .split(',')
    .flatMap((term): FilterWord[] => {
      const [, not, key = '', sign, value = ''] = /^(!?)([^=!]+)(?:(!?==?)(.*))?$/.exec(term) ?? [];
      if (key === '') return [];
      const isNot = (not === '!') !== (sign?.startsWith('!') ?? false);
      const whole = `${key}=${value}`;
      return [{ isNot, field, kind: sign === undefined ? 'starts' : 'is', value: whole, ...fault }];
    });
}

function wordOf({ text, bare }: Written, fields: readonly string[], values: KnownValues): FilterWord {
  const [head = '', not = '', name = '', written = ''] = fieldWord.exec(text.slice(0, bare)) ?? [];
  const field = name.toLowerCase();
  const isKnown = fields.includes(field);
  const isNot = bare > 0 && text.startsWith('!');
  const anywhere: FilterWord = {
    isNot,
    field: undefined,
    kind: 'has',
    value: text.slice(isNot ? 1 : 0).toLowerCase(),
  };
  if (head === '' || (!isKnown && !isKey(field, written, text.slice(head.length)))) return anywhere;
  if (!isKnown) return { ...anywhere, fault: unknownField(field, fields) };
  const sign = written.replace(/^:?!?/, '');
  const kind = isSign(sign) ? signs[sign] : 'has';
  const value = text.slice(head.length).toLowerCase();
  const isLimit = kind !== 'has' && kind !== 'is';
  const known = values[field] ?? [value];
  return {
    isNot: (not === '!') !== written.includes('!'),
    field,
    kind,
    value,
    ...(isLimit &&
      value !== '' &&
      !limitShape.test(value) && { fault: `${field}${sign}${value}: expected a number or an age, such as 20 or 5m` }),
    ...(!isLimit &&
      !known.some((each) => each.includes(value)) && {
        fault: `no ${field} contains "${value}"; known: ${known.join(', ')}`,
      }),
  };
}

const isSign = (sign: string): sign is Sign => sign in signs;

/** Whether an unknown word before a sign was meant as a field: labels such as `tier=canary` and addresses are not. */
const isKey = (field: string, sign: string, rest: string) =>
  field.length >= leastOfKey && !/^!?=$/.test(sign) && !rest.startsWith('//') && !/\d/.test(field);

function unknownField(field: string, fields: readonly string[]): string {
  const near = nearest(field, fields);
  return `unknown key "${field}"; ${near === undefined ? '' : `did you mean ${near}? `}known: ${fields.join(' ')}`;
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
