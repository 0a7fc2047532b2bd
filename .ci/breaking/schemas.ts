import { lowerBounds, resolve, upperBounds, type Breaking, type Schema, type Versions } from './document.ts';

/** Two schemas and where they stand (`data.name`). Requests may be widened, not narrowed; replies may gain, not lose. */
interface Pair {
  direction: 'request' | 'response';
  before: Schema;
  after: Schema;
  at: string;
}

/** One rule: what it finds in a pair, as sentences. It looks at this level only. */
type Rule = (pair: Pair) => string[];

const inRequests =
  (rule: Rule): Rule =>
  (pair) =>
    pair.direction === 'request' ? rule(pair) : [];
const show = (values: unknown[] | undefined) => values?.map((value) => JSON.stringify(value)).join(', ') ?? 'open';
const wasAndIs = (key: keyof Schema, { before, after }: Pair) =>
  `${key} was ${show([before[key] ?? 'open'])} and is ${show([after[key] ?? 'open'])}`;

const typeChanged: Rule = (pair) => {
  const [wide, narrow] = pair.direction === 'request' ? [pair.after, pair.before] : [pair.before, pair.after];
  if (wide.type === undefined) return [];
  const allowed = [wide.type].flat();
  const fits = (type: string) => allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
  return narrow.type !== undefined && [narrow.type].flat().every(fits) ? [] : [wasAndIs('type', pair)];
};

const formatChanged: Rule = (pair) => {
  const promised = (pair.direction === 'request' ? pair.after : pair.before).format;
  return promised === undefined || pair.before.format === pair.after.format ? [] : [wasAndIs('format', pair)];
};

/** Replies are open enumerations: clients accept values they do not know. */
const valuesRemoved = inRequests(({ before, after }) => {
  const [was, now] = [before, after].map((schema) => ('const' in schema ? [schema.const] : schema.enum));
  if (now === undefined) return [];
  if (was === undefined) return [`only ${show(now)} accepted now`];
  const gone = was.filter((value) => !now.includes(value));
  return gone.length === 0 ? [] : [`${show(gone)} accepted no more`];
});

const boundsNarrowed = inRequests((pair) => {
  const { before, after } = pair;
  const implied = (key: string) => (key.endsWith('imum') ? -Infinity : 0);
  return [
    ...upperBounds.filter((key) => (after[key] ?? Infinity) < (before[key] ?? Infinity)),
    ...lowerBounds.filter((key) => (after[key] ?? -Infinity) > (before[key] ?? implied(key))),
  ].map((key) => wasAndIs(key, pair));
});

const constraintAdded = inRequests((pair) =>
  (['pattern', 'multipleOf', 'uniqueItems'] as const)
    .filter((key) => ![undefined, false, pair.before[key]].includes(pair.after[key]))
    .map((key) => wasAndIs(key, pair)),
);

/** Who left it out gets something else now. */
const defaultChanged = inRequests((pair) =>
  JSON.stringify(pair.before.default) === JSON.stringify(pair.after.default) ? [] : [wasAndIs('default', pair)],
);

/** What of a map or an array was anything, and has a form now; none at all (`false`) was narrower still. */
const formGiven = inRequests(({ before, after }) =>
  (['items', 'additionalProperties', 'propertyNames'] as const)
    .filter((key) => typeof after[key] === 'object' && (before[key] ?? true) === true)
    .map((key) => `${key} were anything and have a form now`),
);

/** Requests are closed, so a property that is gone is refused; a reply without it surprises who reads it. */
const propertyRemoved: Rule = ({ before, after }) =>
  Object.keys(before.properties ?? {})
    .filter((name) => after.properties?.[name] === undefined)
    .map((name) => `property ${name} is gone`);

const propertyRequired = inRequests(({ before, after }) =>
  (after.required ?? [])
    .filter((name) => !before.required?.includes(name))
    .map((name) => `property ${name} is required now`),
);

const propertyOptional: Rule = ({ direction, before, after }) =>
  direction === 'request'
    ? []
    : (before.required ?? [])
        .filter((name) => after.properties?.[name] !== undefined && !after.required?.includes(name))
        .map((name) => `property ${name} is optional now`);

const objectClosed = inRequests(({ before, after }) =>
  after.additionalProperties === false && before.additionalProperties !== false
    ? ['properties it does not name are refused now']
    : [],
);

/** Variants of a composition are told apart by their component's name, else by their place. */
const variantsOf = (schemas: Schema[] | undefined) =>
  new Map((schemas ?? []).map((schema, index) => [schema.$ref ?? String(index), schema]));

/** A variant that requests may no longer take, or a condition they have to meet in addition. */
const compositionNarrowed = inRequests(({ before, after }) => {
  const variantLost = (key: 'anyOf' | 'oneOf') => {
    const [was, now] = [variantsOf(before[key]), variantsOf(after[key])];
    return now.size > 0 && (was.size === 0 || [...was.keys()].some((name) => !now.has(name)));
  };
  const was = variantsOf(before.allOf);
  return [
    ...(['anyOf', 'oneOf'] as const).filter(variantLost).map((key) => `a variant of ${key} is gone`),
    ...([...variantsOf(after.allOf).keys()].every((name) => was.has(name)) ? [] : ['allOf has a new condition']),
  ];
});

const rules: Rule[] = [
  formatChanged,
  valuesRemoved,
  boundsNarrowed,
  constraintAdded,
  defaultChanged,
  formGiven,
  propertyRemoved,
  propertyRequired,
  propertyOptional,
  objectClosed,
  compositionNarrowed,
];

/** The schemas directly inside a pair, where both versions have them. */
function* inner({ direction, before, after, at }: Pair): Generator<Pair> {
  for (const [name, was] of Object.entries(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now) yield { direction, before: was, after: now, at: at === '' ? name : `${at}.${name}` };
  }
  for (const [key, mark] of [
    ['items', '[]'],
    ['additionalProperties', '{}'],
    ['propertyNames', '{name}'],
  ] as const) {
    const [was, now] = [before[key], after[key]];
    if (typeof was === 'object' && typeof now === 'object') yield { direction, before: was, after: now, at: at + mark };
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const [name, was] of variantsOf(before[key])) {
      const now = variantsOf(after[key]).get(name);
      if (now) yield { direction, before: was, after: now, at };
    }
}

/** Compares two schemas and all below them; what stands in a component is told once, under the component's name. */
export function* compareSchemas(
  versions: Versions,
  pair: Pair,
  subject: string,
  seen: Set<string>,
): Generator<Breaking> {
  const before = resolve<Schema>(versions.before, pair.before);
  const after = resolve<Schema>(versions.after, pair.after);
  const visit = `${pair.direction} ${String(before.name)} ${String(after.name)}`;
  if (before.name !== undefined && seen.has(visit)) return;
  seen.add(visit);
  const here = { ...pair, before: before.value, after: after.value, at: before.name === undefined ? pair.at : '' };
  const place = `in ${pair.direction}s${here.at === '' ? '' : ` at ${here.at}`}`;
  // Of another type all else differs too, and says no more.
  const otherType = typeChanged(here);
  for (const what of otherType.length > 0 ? otherType : rules.flatMap((rule) => rule(here)))
    yield { subject: before.name ?? subject, what: `${what} (${place})` };
  if (otherType.length > 0) return;
  for (const child of inner(here)) yield* compareSchemas(versions, child, before.name ?? subject, seen);
}
