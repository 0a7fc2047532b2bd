import { operationsOf, resolve } from './document.ts';
import type { Breaking, Content, Header, Operation, Parameter, RequestBody, Response, Versions } from './document.ts';
import { compareSchemas } from './schemas.ts';

/** An operation of both versions. `seen` holds the components that were compared already. */
interface Pair {
  versions: Versions;
  before: Operation;
  after: Operation;
  subject: string;
  seen: Set<string>;
}

type Rule = (pair: Pair) => Iterable<Breaking>;

const roles = ['viewer', 'operator', 'admin'];

function* operationIdChanged({ before, after, subject }: Pair): Generator<Breaking> {
  if (before.operationId !== after.operationId)
    yield { subject, what: `its operationId is ${String(after.operationId)} now` };
}

/** Generators make a class of each tag: its methods move with it. */
function* tagChanged({ before, after, subject }: Pair): Generator<Breaking> {
  const [was = 'none', now = 'none'] = [before.tags?.[0], after.tags?.[0]];
  if (was !== now) yield { subject, what: `its tag is ${now} now, was ${was}` };
}

function* roleRaised({ before, after, subject }: Pair): Generator<Breaking> {
  for (const [scheme, [role = '']] of (before.security ?? []).flatMap((requirement) => Object.entries(requirement))) {
    const now = after.security?.find((requirement) => scheme in requirement)?.[scheme];
    if (now === undefined) yield { subject, what: `${scheme} is accepted no more` };
    else if (roles.indexOf(now[0] ?? '') > roles.indexOf(role))
      yield { subject, what: `it needs ${String(now[0])} now, was ${role}` };
  }
}

function* tokenKindRemoved({ before, after, subject }: Pair): Generator<Breaking> {
  for (const kind of before['x-token-kinds'] ?? [])
    if (!after['x-token-kinds']?.includes(kind)) yield { subject, what: `${kind} tokens are accepted no more` };
}

/** Tokens of several orgs called it without naming one. */
function* orgRequired({ before, after, subject }: Pair): Generator<Breaking> {
  if (before['x-any-org'] && !after['x-any-org'])
    yield { subject, what: 'a token of several orgs has to name one now (X-Service-Org-Id)' };
}

function* parametersNarrowed({ versions, before, after, subject, seen }: Pair): Generator<Breaking> {
  const [was, now] = (
    [
      [versions.before, before],
      [versions.after, after],
    ] as const
  ).map(
    ([document, { parameters = [] }]) =>
      new Map(
        parameters
          .map((parameter) => resolve<Parameter>(document, parameter))
          .map(({ value, name }) => [`${value.in} ${value.name}`, { ...value, component: name }]),
      ),
  );
  for (const key of was?.keys() ?? []) if (!now?.has(key)) yield { subject, what: `parameter ${key} is gone` };
  for (const [key, parameter] of now ?? []) {
    const old = was?.get(key);
    if (parameter.required && !old?.required) yield { subject, what: `parameter ${key} is required now` };
    for (const how of ['style', 'explode'] as const)
      if (old && old[how] !== parameter[how]) yield { subject, what: `parameter ${key} is written otherwise: ${how}` };
    if (old?.schema && parameter.schema)
      for (const { subject: found, what } of compareSchemas(
        versions,
        { direction: 'request', before: old.schema, after: parameter.schema, at: '' },
        subject,
        seen,
      ))
        yield { subject: found, what: `parameter ${key}: ${what}` };
  }
}

function* contentChanged(
  pair: Pair,
  direction: 'request' | 'response',
  was: Content = {},
  now: Content = {},
): Generator<Breaking> {
  for (const [type, { schema }] of Object.entries(was)) {
    const after = now[type]?.schema;
    if (!(type in now)) yield { subject: pair.subject, what: `${type} is gone from its ${direction}` };
    if (schema && after)
      yield* compareSchemas(pair.versions, { direction, before: schema, after, at: '' }, pair.subject, pair.seen);
  }
}

function* requestBodyNarrowed(pair: Pair): Generator<Breaking> {
  const { versions, before, after, subject } = pair;
  const was = before.requestBody && resolve<RequestBody>(versions.before, before.requestBody).value;
  const now = after.requestBody && resolve<RequestBody>(versions.after, after.requestBody).value;
  if (now?.required && !was?.required) yield { subject, what: 'its body is required now' };
  yield* contentChanged(pair, 'request', was?.content, now?.content);
}

function* headerChanged(
  { versions, subject, seen }: Pair,
  name: string,
  was: Header | { $ref: string },
  now: Header | { $ref: string },
): Generator<Breaking> {
  const [before, after] = [
    resolve<Header>(versions.before, was).value.schema,
    resolve<Header>(versions.after, now).value.schema,
  ];
  if (!before || !after) return;
  for (const { subject: found, what } of compareSchemas(
    versions,
    { direction: 'response', before, after, at: '' },
    subject,
    seen,
  ))
    yield { subject: found, what: `header ${name}: ${what}` };
}

/** Refusals may come and go; what stands for success may not go. */
function* responsesChanged(pair: Pair): Generator<Breaking> {
  const { versions, before, after, subject } = pair;
  for (const [status, response] of Object.entries(before.responses ?? {})) {
    const now = after.responses?.[status];
    if (now === undefined) {
      if (status.startsWith('2')) yield { subject, what: `it answers ${status} no more` };
      continue;
    }
    const [old, current] = [
      resolve<Response>(versions.before, response).value,
      resolve<Response>(versions.after, now).value,
    ];
    for (const [header, value] of Object.entries(old.headers ?? {})) {
      const kept = current.headers?.[header];
      if (!kept) yield { subject, what: `header ${header} is gone from ${status}` };
      else yield* headerChanged(pair, header, value, kept);
    }
    yield* contentChanged(pair, 'response', old.content, current.content);
  }
}

const rules: Rule[] = [
  operationIdChanged,
  tagChanged,
  roleRaised,
  tokenKindRemoved,
  orgRequired,
  parametersNarrowed,
  requestBodyNarrowed,
  responsesChanged,
];

/** Every change from one version of the contract to the next that can break a client of the older. */
export function breakingChanges(versions: Versions): Breaking[] {
  const after = operationsOf(versions.after);
  const seen = new Set<string>();
  const found = [...operationsOf(versions.before)].flatMap(([place, before]) => {
    const subject = before.operationId ?? place;
    const now = after.get(place);
    if (now === undefined) return [{ subject, what: `${place} is gone` }];
    return rules.flatMap((rule) => [...rule({ versions, before, after: now, subject, seen })]);
  });
  const schemas = Object.keys(versions.after.components?.['schemas'] ?? {});
  const renamed = Object.keys(versions.before.components?.['schemas'] ?? {}).filter((name) => !schemas.includes(name));
  return [...found, ...renamed.map((subject) => ({ subject, what: 'its name is gone, so generated types lose it' }))];
}
