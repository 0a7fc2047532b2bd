import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { callThatWorks, invalidCall, validCall, type Sent } from '../../support/arbitraries.ts';
import { forgedCursors, refusedFields, refusedJson, refusedQueries } from '../../support/hostile-inputs.ts';
import { operations, parametersIn, type Operation } from '../../support/operations.ts';
import type { Random } from '../../support/random.ts';
import { refersTo, referringFields, type Meeting, type RandomObjects } from './random-objects.ts';

/** One request, byte for byte. `headers`: names and values in turn, so that a name may repeat. */
export interface RandomCall {
  method: string;
  path: string;
  headers: string[];
  body: Buffer | undefined;
}

/** Credentials of a run that are never revoked. */
export interface Standing {
  orgToken: string;
  adminToken: string;
  others: string[]; // of another org, unknown, malformed
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
/** Shorter bodies are refused without closing the connection while they are sent. */
const maxBodyCharacters = 20_000;
const badJson = Object.values(refusedJson).filter((json) => json.length < maxBodyCharacters);
const badHeaders: [name: string, value: string][] = [
  ['Content-Type', 'application/json'],
  ['Content-Type', 'text/plain'],
  ['Content-Encoding', 'gzip'],
  ['Transfer-Encoding', 'gzip'],
  ['Expect', 'the-unexpected'],
  ['Host', 'elsewhere'],
  ['Host', 'a b'],
  ['Authorization', 'Bearer x'],
  ['X-Service-Org-Id', 'x'],
  ['X-Request-Id', 'a b'],
  ['X-Note', '\xff\xfe'],
  ['X-Note', 'a'.repeat(17_000)],
  ['Cookie', 'a'.repeat(17_000)],
  ['Idempotency-Key', 'a, "b"'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=9007199254740991-'],
  ['Range', 'bytes=-0'],
  ['Content-Range', 'bytes 0-9007199254740990/9007199254740991'],
  ['Content-Range', 'bytes 5-1/2'],
];
const collectionIn = (path: string) => path.split('/{')[0] ?? '';
const marks = new RegExp(`@(${referringFields.join('|')})@`, 'g');
const marked = Object.fromEntries(referringFields.map((name) => [name, `@${name}@`]));

/** Creates calls of all operations: some are valid by the contract, some have one fault, some are hostile. */
export function randomCallKinds(random: Random, objects: RandomObjects, standing: Standing) {
  const working = new Map<string, Sent[]>(); // refer only to objects that existed once
  const valid = new Map<string, Sent[]>();
  const invalid = new Map<string, Sent[]>(); // with one fault
  const ids = { ...marked, id: '@id@', sha256: '@id@', digest: '@id@' };

  /** Draws new calls of each operation; a call has marks in place of objects. */
  function draw(): void {
    for (const operation of operations) {
      const seed = { numRuns: 12, seed: random.below(2 ** 31) };
      working.set(operation.id, callThatWorks(operation, ids, seed));
      valid.set(operation.id, fc.sample(validCall(operation, ids), seed));
      invalid.set(operation.id, fc.sample(invalidCall(operation, ids), seed));
    }
  }

  function credentialFor({ tokenKinds: [kind = ''] }: Operation, meeting: Meeting | undefined): string {
    const own = meeting && objects.credentialOf(meeting.id);
    if (random.chance(meeting ? 0 : 0.06)) return random.pick(standing.others);
    if (kind === 'admin') return standing.adminToken;
    if (kind === 'robot' || kind === 'enroll') return own ?? objects.anyCredential();
    if (own?.startsWith('svc_user_') && random.chance(0.4)) return own;
    return random.chance(meeting ? 0 : 0.08) ? objects.anyCredential() : standing.orgToken;
  }

  function queryOf(operation: Operation, query: [string, string][], isHostile: boolean): string {
    if (isHostile && random.chance(0.3)) return `?${random.pick(Object.values(refusedQueries))}`;
    const cursors = parametersIn(operation, 'query').some(({ name }) => name === 'cursor');
    if (cursors && isHostile) query.push(['cursor', random.pick(forgedCursors)]);
    return query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  }

  function bodyOf({ body }: Sent, isHostile: boolean, fill: (text: string) => string): Buffer | undefined {
    const text = body === undefined ? undefined : fill(JSON.stringify(body));
    const field = /"\w+":("[^"\\]*"|\d+|true|false)/;
    const ways = [
      () => random.pick(badJson),
      () => text?.slice(0, random.below(text.length)),
      () => text?.replace(field, (pair) => `${pair.slice(0, pair.indexOf(':'))}:${random.pick(badJson)}`),
      () => text?.replace('{', () => `{${random.pick(Object.values(refusedFields))},`),
    ];
    const sent = isHostile && random.chance(0.6) ? random.pick(ways)() : text;
    if (isHostile && random.chance(0.1))
      return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
    return sent === undefined ? undefined : Buffer.from(sent);
  }

  /** A call of this operation; calls that meet share `key`. */
  function callOf(operation: Operation, key: string, meeting?: Meeting): RandomCall {
    const kind = meeting ? 0 : random.below(10);
    const isHostile = kind > 7;
    const drawn = kind < 5 ? working : kind < 7 ? valid : invalid;
    const sent = random.pick(drawn.get(operation.id) ?? []);
    const parameter = objects.pathParameter(collectionIn(operation.path), meeting);
    const fill = (text: string) => text.replace(marks, (_mark, name: string) => objects.reference(name, meeting));
    const path = operation.path.replace(/\{\w+\}/, () =>
      (sent.pathId ?? '@id@') === '@id@' ? parameter : encodeURIComponent(sent.pathId ?? ''),
    );
    const body = operation.takesFile ? Buffer.alloc(random.below(3)) : bodyOf(sent, isHostile, fill);
    const headers = ['Host', '127.0.0.1', 'Authorization', `Bearer ${credentialFor(operation, meeting)}`];
    const takesKey = parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key');
    if (takesKey && !(isHostile && random.chance(0.3))) headers.push('Idempotency-Key', key);
    const type = operation.takesFile ? 'application/octet-stream' : 'application/json';
    if (body) headers.push('Content-Type', type, 'Content-Length', String(body.length));
    if (isHostile && random.chance(0.25)) headers.push(...random.pick(badHeaders));
    const query = sent.query.map(([name, value]): [string, string] => [name, fill(value)]);
    return {
      method: isHostile && random.chance(0.15) ? random.pick(methods) : operation.method,
      path: path + queryOf(operation, query, isHostile),
      headers,
      body,
    };
  }

  const touching = (collection: string) =>
    operations.filter(
      ({ path, body }) =>
        path.startsWith(`${collection}/{`) ||
        Object.keys(body?.schema.properties ?? {}).some((field) => refersTo(field, collection)),
    );

  return {
    draw,
    /** Some independent calls. */
    apart: (): RandomCall[] =>
      Array.from({ length: 4 }, () =>
        callOf(random.pick(operations), random.chance(0.1) ? 'the same key' : randomUUID()),
      ),
    /** Two to four valid calls on the same object; one of them is a change, if there is such an operation. */
    meeting(collections: readonly string[]): RandomCall[] {
      const meeting = objects.meeting(collections);
      const all = touching(meeting.collection);
      const changes = all.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
      const key = randomUUID();
      const others = Array.from({ length: 1 + random.below(3) }, () => random.pick(random.chance(0.7) ? changes : all));
      return [random.pick(changes), ...others].map((operation) =>
        callOf(operation, random.chance(0.5) ? key : randomUUID(), meeting),
      );
    },
  };
}
