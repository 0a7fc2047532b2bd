/** A statement as pg takes it, with `$1` for the first value. */
interface Statement {
  text: string;
  values: readonly unknown[];
}

/** The properties of knex's raw statements that matter here. */
export interface RawStatement {
  isRawInstance?: boolean;
  sql: string;
  bindings?: unknown; // an array, or an object by name
  _wrappedBefore?: unknown; // of a subquery
}

/** A text with `?` or `:name`, and what knex made of it. */
interface KnownText {
  text: string;
  count: number; // of values
  names?: readonly string[]; // of the values, in their order
  notNames?: readonly string[]; // what looks like names, such as casts
}

/** Longer texts are put together from parts, and would rarely come again. */
const maxTextLength = 16_384;
const maxTexts = 2_000;
/** What knex takes for names: in groups 2 and 3 those of identifiers, in group 4 those of values. */
const namePattern = /\\?(:(\w+):(?=::)|:(\w+):(?!:)|:(\w+))/g;

/**
 * Remembers what knex makes of raw statements, as translating one takes longer than sending it. Statements with parts that
 * are no values (identifiers, other statements) are not remembered.
 */
export function createRawStatements() {
  const texts = new Map<string, KnownText | undefined>(); // undefined: it has such parts

  return {
    /** Undefined if knex must translate it. */
    find(raw: RawStatement): Statement | undefined {
      const known = texts.get(raw.sql);
      if (!known || !isWhole(raw)) return undefined;
      const values = valuesOf(raw.bindings, known);
      return values?.length === known.count && values.every(isPlain) ? { text: known.text, values } : undefined;
    },

    /** `text`: what knex made of it. */
    learn(raw: RawStatement, text: string): void {
      if (!isWhole(raw) || raw.sql.length > maxTextLength || texts.has(raw.sql)) return;
      if (texts.size >= maxTexts) texts.clear();
      texts.set(raw.sql, knownText(raw, text));
    },
  };
}

const isWhole = ({ isRawInstance, _wrappedBefore }: RawStatement): boolean =>
  isRawInstance === true && _wrappedBefore === undefined;

function knownText({ sql, bindings = [] }: RawStatement, text: string): KnownText | undefined {
  if (sql.includes('\\')) return undefined;
  if (Array.isArray(bindings))
    return sql.includes('??') || !bindings.every(isPlain) ? undefined : { text, count: bindings.length };
  const found = [...sql.matchAll(namePattern)];
  if (found.some(([, , one, other]) => one !== undefined || other !== undefined)) return undefined;
  const all = found.map(([, , , , name]) => name ?? '');
  const values = bindings as Record<string, unknown>;
  const names = all.filter((name) => name in values);
  const isKnown = names.every((name) => isPlain(values[name]));
  return isKnown ? { text, count: names.length, names, notNames: all.filter((name) => !(name in values)) } : undefined;
}

function valuesOf(bindings: unknown = [], { names, notNames }: KnownText): readonly unknown[] | undefined {
  if (Array.isArray(bindings)) return names ? undefined : bindings;
  const values = bindings as Record<string, unknown>;
  return notNames?.some((name) => name in values) ? undefined : names?.map((name) => values[name]);
}

/** Neither a statement nor missing. */
const isPlain = (value: unknown): boolean =>
  value !== undefined &&
  typeof value !== 'function' &&
  (typeof value !== 'object' || value === null || !('toSQL' in value));
