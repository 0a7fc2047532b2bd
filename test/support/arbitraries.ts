import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { parametersIn, type Operation, type Schema } from './operations.ts';

/** A request apart from its token. `query` is ordered; a name may repeat. */
export interface Sent {
  pathId: string | undefined;
  query: [name: string, value: string][];
  body: unknown;
}

/**
 * Any character except half a surrogate pair: like fast-check's unit `binary`, without its table, which takes a second
 * to build.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - 0x800 }).map(
  (place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800),
  // With this, fast-check knows which of its dangerous texts, such as `__proto__`, consist of such characters.
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || text !== String.fromCodePoint(point) || (point >= 0xd800 && point < 0xe000))
      throw new Error('it is not one character');
    return point < 0xd800 ? point : point - 0x800;
  },
);

// The service rejects these in any text, whatever its schema: NUL in a body, control characters in a URL.
const plain = anyCharacter.filter((text) => text !== '\0');
const printable = plain.filter((text) => !/[\u0000-\u001f\u007f]/.test(text));

const lengthOf = (text: string): number => Array.from(text).length;

function textOf(schema: Schema, unit: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 64, pattern } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString());
  if (pattern === undefined) return fc.string({ unit, minLength, maxLength });
  // With plain `+`, a text of the minimum length would be very rare.
  const long = pattern.replace(/\+\$$/, `{${minLength},${minLength + 20}}$`);
  return fc
    .stringMatching(new RegExp(long, 'u'))
    .filter((text) => !text.includes('\0') && lengthOf(text) >= minLength && lengthOf(text) <= maxLength);
}

/** Texts with a grammar that the contract states in words. */
const spoken: Record<string, string[]> = {
  expression: ['cpu > 99', 'cpu >= 80 and not charging', 'cpu > 90 and diagnostics >= error'],
  clear: ['cpu < 50', 'cpu < 10 or cpu < 20'],
  for: ['0s', '30s', '5m', '7d'],
  backoff: ['0s', '10m', '1d'],
  label: ['tier=canary', 'floor=2,tier=canary', 'floor in (1,2),!spare'],
  selector: ['tier=canary', 'floor notin (1,2),@capability', '!spare'],
  target_selector: ['tier=canary', 'tier!=spare,@capability=orders', '!spare'],
  series: ['battery', 'cpu,memory'],
};

const percent = fc.double({ min: 0.01, max: 5, noNaN: true }); // of at most 20 waves
const count = fc.integer({ min: 1, max: 200_000 });
const size = fc.oneof(fc.record({ percent }), fc.record({ count }));
const merged = (parts: readonly object[]): object => Object.assign({}, ...parts);

/** Waves that together have no more than all robots. */
function wavesOf(unit: fc.Arbitrary<string>, most: number): fc.Arbitrary<object[]> {
  const selector = fc.constantFrom('tier=canary', 'floor notin (1,2),@capability');
  const name = fc.string({ unit, minLength: 1, maxLength: 64 });
  const wave = fc.tuple(fc.record({ name, selector }, { requiredKeys: [] }), size);
  return fc.array(wave.map(merged), { minLength: 1, maxLength: most });
}

/** A rollout that does not contradict itself, as the contract states in words. */
function rolloutOf(unit: fc.Arbitrary<string>): fc.Arbitrary<object> {
  const optional = { requiredKeys: [] };
  const time = fc.constantFrom('1m', '90s', '1.5h', '30d');
  const min_ended = count;
  const advance = {
    applied_percent: percent,
    min_ended,
    soak: fc.constantFrom('0s', '30m'),
    offline_after: time,
    then: fc.constantFrom('advance', 'pause', 'approval'),
  };
  const reasons = fc.oneof(fc.constant(['any']), fc.subarray(['failed', 'rolled_back', 'drift'], { minLength: 1 }));
  const [per, action] = [fc.constantFrom('wave', 'rollout'), fc.constantFrom('pause', 'cancel', 'rollback')];
  const rule = fc.tuple(
    fc.record({ reasons, min_ended, within: time, per, action }, { requiredKeys: ['reasons'] }),
    size,
  );
  const pace = fc.oneof(
    fc.record({ max_in_flight: count, downloads_per_site: count }, { requiredKeys: ['max_in_flight'] }),
    fc.record({ per_minute: percent, growth: growth(count) }, { requiredKeys: ['per_minute'] }),
  );
  return fc.record(
    {
      waves: wavesOf(unit, 20),
      advance: fc.record(advance, optional),
      abort: fc.array(rule.map(merged), { maxLength: 10 }),
      approval: fc.record(
        {
          people: fc.integer({ min: 1, max: 10 }),
          role: fc.constantFrom('viewer', 'operator', 'admin'),
          expires: fc.constantFrom('10m', '2d', '30d'),
        },
        optional,
      ),
      supersede: fc.constantFrom('replace', 'finish', 'pause'),
      pace,
    },
    { requiredKeys: ['waves', 'approval'] }, // as `then` may need it
  );
}

const growth = (count: fc.Arbitrary<number>) =>
  fc.record(
    {
      factor: fc.double({ min: 1.01, max: 100, noNaN: true }),
      after_applied: count,
      up_to: fc.double({ min: 5, max: 200_000, noNaN: true }),
    },
    { requiredKeys: ['factor', 'after_applied'] },
  );

/** Limits that leave room for a deployment, or other operations would be refused. */
const robotNumbers: Record<string, fc.Arbitrary<object>> = {
  max_unavailable: fc.oneof(
    fc.record({ count: fc.integer({ min: 1, max: 200_000 }) }),
    fc.record({ percent: fc.double({ min: 0.01, max: 100, noNaN: true }) }),
  ),
  min_available: fc.constantFrom({ count: 0 }, { percent: 0 }),
};

/** A budget has one of its two limits; a change may have none. */
function withFittingLimit(body: Record<string, unknown>, { properties = {}, required = [] }: Schema) {
  if (!('max_unavailable' in properties)) return body;
  const { min_available: least, ...others } = body;
  if ('max_unavailable' in body || (least === undefined && !required.includes('name'))) return others;
  return { ...others, min_available: least ?? { count: 0 } };
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const inFourYears = () => new Date(Date.now() + 4 * 365 * 86_400_000);

/** A signature and its key id are only valid together. */
function withoutHalfSignature(body: Record<string, unknown>): Record<string, unknown> {
  if ('signature' in body === 'key_id' in body) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'signature' && name !== 'key_id'));
}

/** A request has a selector or the ID of a target. */
function withFittingTarget(body: Record<string, unknown>, { ids }: Known): Record<string, unknown> {
  if (!('target_kind' in body) || 'hours' in body) return body;
  const { target_id: id = ids['target_id'] ?? randomUUID(), target_selector: selector = '!spare', ...others } = body;
  return body['target_kind'] === 'selector' ? { ...others, target_selector: selector } : { ...others, target_id: id };
}

/** Robots that match later need a selector, and a time of the next 366 days that is after the start. */
function withFittingDynamic(body: Record<string, unknown>): Record<string, unknown> {
  const { dynamic, dynamic_until: until, scheduled_at: at, ...others } = body;
  if (dynamic === true && until !== undefined && body['target_kind'] === 'selector')
    return { ...others, dynamic, dynamic_until: inDays(30).toISOString() };
  return { ...others, ...(at !== undefined && { scheduled_at: at }) };
}

/** What a deployment brings is one of two, and a plan has it with the target and the rollout. */
function withFittingPlan(body: Record<string, unknown>, schema: Schema, { ids, only }: Known): Record<string, unknown> {
  const fields = Object.keys(schema.properties ?? {});
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
  const idOf = (name: string) => ({ [name]: body[name] ?? ids[name] ?? randomUUID() });
  const isPlan = fields.includes('kind') && fields.includes('config_id');
  if (isPlan && body['kind'] === 'release') return { ...without('config_id', 'revision'), ...idOf('release_id') };
  if (isPlan) return { ...without('release_id', 'allow_downgrade'), ...idOf('config_id') };
  if (!fields.includes('plan_id')) return body;
  // The known plan is of a release, and a plan can be executed once only.
  if (!only && fields.includes('release_id') && 'plan_id' in body && !('target_kind' in body))
    return without(
      'release_id',
      'config_id',
      'revision',
      'target_id',
      'target_selector',
      'rollout',
      'rollout_policy_id',
      'ignore_windows',
      'allow_downgrade',
    );
  const what = fields.includes('release_id') ? 'release_id' : 'config_id';
  return { ...without('plan_id'), target_kind: body['target_kind'] ?? 'fleet', ...idOf(what) };
}

/** A rollout is for several robots, and a request has it or the policy that has it. */
function withFittingRollout(body: Record<string, unknown>): Record<string, unknown> {
  const excluded = (name: string) =>
    body['target_kind'] === 'robot'
      ? name === 'rollout' || name === 'rollout_policy_id'
      : name === 'rollout' && 'target_kind' in body && 'rollout_policy_id' in body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !excluded(name)));
}

/**
 * Existing objects, by the name of the field that refers to them. Half of the values are missing ones, unless `only`
 * existing ones are wanted.
 */
interface Known {
  ids: Record<string, string>;
  only: boolean;
}

/** A value that is valid for the schema. */
function valueOf(name: string, schema: Schema, objects: Known, unit = plain): fc.Arbitrary<unknown> {
  const known = objects.ids[name];
  if (known !== undefined && objects.only) return fc.constant(known);
  if (known !== undefined)
    return fc.oneof(
      fc.constant(known),
      ...(schema.pattern === undefined ? [fc.constant(randomUUID())] : []),
      textOf(schema, unit),
    );
  if (name === 'revision' && objects.only) return fc.constant(1);
  if (name === 'wave' && schema.minimum === 0 && objects.only) return fc.constant(0); // that a new deployment waits for
  // The rollout of the scene has two waves.
  if (name === 'wave' && schema.minimum === 1) return fc.constant(1);
  if (name === 'from' && schema.minimum === 2) return fc.constant(2);
  if (name === 'waves') return wavesOf(unit, 19);
  // The pattern alone admits addresses that are none, such as a port of 99,999.
  if (name === 'artifact_base_url') return fc.constantFrom('', 'http://cache.example.com', 'https://[::1]:8443/a/b/');
  if (name === 'pattern') return fc.uuid().map((id) => `code ${id}`); // an org has each once
  const texts = spoken[name];
  if (texts) return fc.constantFrom(...texts);
  if (name === 'scope') return fc.constant({ kind: 'org' });
  if (name === 'rollout') return rolloutOf(unit);
  const numbers = robotNumbers[name];
  if (numbers) return numbers;
  if (name === 'group_by') return fc.subarray(['@site', '@fleet', 'hall']);
  if (name === 'reasons' && schema.type === 'array') return fc.constantFrom(['any'], ['timed_out']);
  if (name === 'messages') return fc.array(textOf(schema.items ?? {}, unit), { minLength: 1, maxLength: 3 });
  if (name === 'signatures') return fc.constant([]); // of what robots return to: here none does
  // The times that an order may have.
  if (name === 'scheduled_at')
    return fc.date({ max: inFourYears(), noInvalidDate: true, min: new Date() }).map((at) => at.toISOString());
  if (name === 'until')
    return fc.date({ max: inDays(365), noInvalidDate: true, min: inDays(1) }).map((at) => at.toISOString());
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'number')
    return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000, noNaN: true });
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
  if (schema.type === 'object' && schema.properties)
    return fc
      .record(
        Object.fromEntries(
          Object.entries(schema.properties).map(([field, child]) => [field, valueOf(field, child, objects, unit)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
      .map(withoutHalfSignature)
      .map((body) => withFittingPlan(body, schema, objects))
      .map(withFittingRollout)
      .map((body) => withFittingLimit(body, schema))
      .map((body) => withFittingTarget(body, objects))
      .map(withFittingDynamic);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return fc.dictionary(
      // Names with a meaning for every object are rejected, although they match.
      textOf(schema.propertyNames ?? {}, unit).filter((field) => !['constructor', 'prototype'].includes(field)),
      textOf(schema.additionalProperties, unit),
      { maxKeys: schema.maxProperties ?? 5, noNullPrototype: true },
    );
  return textOf(schema, unit);
}

/** A call that is valid by the contract. Cursors are omitted: only the service creates them. */
export const validCall = (operation: Operation, ids: Record<string, string>): fc.Arbitrary<Sent> =>
  callOf(operation, { ids, only: false });

/** Some calls that refer only to existing objects; one by default. */
export const callThatWorks = (
  operation: Operation,
  ids: Record<string, string>,
  sample: { numRuns: number; seed?: number } = { numRuns: 1 },
): Sent[] => fc.sample(callOf(operation, { ids, only: true }), sample);

function callOf(operation: Operation, objects: Known): fc.Arbitrary<Sent> {
  const queries = parametersIn(operation, 'query').filter(({ name }) => name !== 'cursor');
  const [id] = parametersIn(operation, 'path');
  const query = fc.record(
    Object.fromEntries(queries.map(({ name, schema }) => [name, valueOf(name, schema, objects, printable)])),
    { requiredKeys: queries.filter(({ required }) => required === true).map(({ name }) => name) },
  );
  const { body, required = false } = { body: operation.body?.schema, required: operation.body?.required };
  const bodies = body === undefined ? fc.constant(undefined) : valueOf('', body, objects);
  return fc.record({
    // Slashes and dots would form other paths.
    pathId:
      id === undefined
        ? fc.constant(undefined)
        : (valueOf(
            id.name,
            id.schema,
            objects,
            printable.filter((text) => !/[/\\.]/.test(text)),
          ) as fc.Arbitrary<string>),
    query: query.map((values) =>
      Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
    ),
    body: (required ? bodies : fc.option(bodies, { nil: undefined })).filter(
      (value) => value === undefined || Object.keys(value as object).length >= (body?.minProperties ?? 0),
    ),
  });
}

/** A valid call with one fault, and the fault. */
export function invalidCall(operation: Operation, ids: Record<string, string>): fc.Arbitrary<Sent & { fault: string }> {
  const faults: fc.Arbitrary<{ fault: string; apply: (sent: Sent) => Sent }>[] = [
    fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 })
      .filter((name) => !parametersIn(operation, 'query').some((known) => known.name === name))
      .map((name) => ({ fault: `query ${name}`, apply: (sent) => ({ ...sent, query: [...sent.query, [name, 'a']] }) })),
  ];
  for (const { name, schema } of parametersIn(operation, 'query')) {
    const values = badValues(schema).map(String);
    faults.push(
      fc.constantFrom(...values).map((value) => ({
        fault: `query ${name}=${value.slice(0, 40)}`,
        apply: (sent) => ({ ...sent, query: [...sent.query.filter(([known]) => known !== name), [name, value]] }),
      })),
      fc.constant({
        fault: `query ${name} twice`,
        apply: (sent) => ({
          ...sent,
          query: [
            [name, '1'],
            [name, '1'],
          ],
        }),
      }),
    );
  }
  const [id] = parametersIn(operation, 'path');
  if (id)
    faults.push(
      fc.constant({
        fault: 'a long id',
        apply: (sent) => ({ ...sent, pathId: 'a'.repeat((id.schema.maxLength ?? 0) + 1) }),
      }),
    );
  const schema = operation.body?.schema;
  if (schema) {
    faults.push(
      fc
        .constantFrom<unknown>([], 1, 'a', true, null)
        .map((body) => ({ fault: 'no object', apply: (sent) => ({ ...sent, body }) })),
      fc.constant({
        fault: 'an unknown field',
        apply: (sent) => ({ ...sent, body: { ...(sent.body as object), colour: 'red' } }),
      }),
      ...Object.entries(schema.properties ?? {})
        .filter(([, child]) => child.type !== undefined) // accepts any JSON
        .map(([name, child]) =>
          fc.constantFrom(...badValues(child), ...wrongTypes(child)).map((value) => ({
            fault: `body.${name} = ${JSON.stringify(value).slice(0, 40)}`,
            apply: (sent: Sent) => ({ ...sent, body: { ...(sent.body as object), [name]: value } }),
          })),
        ),
      ...(schema.required ?? []).map((name) =>
        fc.constant({
          fault: `no body.${name}`,
          apply: (sent: Sent) => ({
            ...sent,
            body: Object.fromEntries(Object.entries(sent.body as object).filter(([known]) => known !== name)),
          }),
        }),
      ),
    );
    if (operation.body?.required)
      faults.push(fc.constant({ fault: 'no body', apply: (sent) => ({ ...sent, body: undefined }) }));
  } else if (!operation.takesFile && !['GET', 'HEAD'].includes(operation.method))
    faults.push(fc.constant({ fault: 'a body', apply: (sent) => ({ ...sent, body: {} }) }));
  return fc
    .tuple(validCall(operation, ids), fc.oneof(...faults))
    .map(([sent, { fault, apply }]) => ({ ...apply(sent), fault }));
}

/** Values of the right type beyond each limit of the schema. */
function badValues(schema: Schema): unknown[] {
  const { minLength = 0, maxLength, minimum, maximum } = schema;
  if (schema.type === 'number') return [(minimum ?? 0) - 1, (maximum ?? Number.MAX_VALUE / 2) * 2];
  if (schema.type === 'integer')
    return [
      (minimum ?? 0) - 1,
      (maximum ?? Number.MAX_SAFE_INTEGER) + 1,
      1.5,
      -1e10,
      1e21,
      '',
      '1e1',
      ' 1',
      '+1',
      '0x1',
    ];
  if (schema.type === 'boolean') return ['yes', 'TRUE', ' true'];
  return [
    ...(schema.type === 'string' && minLength > 0 ? [''] : []),
    ...(minLength > 1 ? ['a'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1), '🦾'.repeat(maxLength + 1)]),
    ...(schema.enum ? ['none of them', `${schema.enum[0] ?? ''} `, (schema.enum[0] ?? '').toUpperCase()] : []),
    ...(schema.pattern === undefined ? [] : beside(new RegExp(schema.pattern, 'u'))),
    ...(schema.format === 'date-time' ? ['now', '2026-02-30T00:00:00Z', '2026-11-21 09:00:00'] : []),
    ...(schema.type === 'object' ? [{ 'NOT A NAME': 'a' }, { a: 1 }, { a: null }, { a: 'b'.repeat(129) }] : []),
  ];
}

/** Texts of medium length that do not match a pattern. */
const beside = (pattern: RegExp): string[] =>
  [
    'a b c d e f g h i j k',
    ' '.repeat(20),
    ' leading white space',
    'trailing white space\n',
    'a bell \u0007 in between',
  ].filter((text) => !pattern.test(text));

const wrongTypes = ({ type, items }: Schema): unknown[] => [
  null,
  ...(type === 'boolean' ? ['true', 1] : [true]),
  items?.type === 'string' ? [1] : ['a'],
  ...(type === 'object' ? ['a', 1] : [{ a: 'b' }]),
  ...(type === 'integer' ? ['1'] : []),
  ...(type === 'string' ? [1, 0] : []),
];
