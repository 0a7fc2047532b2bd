import { expect, test } from 'vitest';
import { encodeSearch } from '../../../src/logs/search-cursor.ts';
import { forgedCursors, refusedQueries, someTexts, texts } from '../../support/hostile-inputs.ts';
import { foundIn, headersFor, operations, parametersIn, requiredQuery, type Schema } from '../../support/operations.ts';
import { startScene } from '../../support/scene.ts';
import { startIsolatedWorld } from '../../support/world.ts';

// The characters that an address may not hold.
const control = /[\u0000-\u001f\u007f]/;

const lists = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));

/** Parameters with a grammar that the contract states in words; no awkward text follows one. */
const spoken = ['expression', 'label', 'series', 'target_selector'];
/** The name of a label is a selector. */
const isLabel = (name: string, text: string) =>
  ['label', 'target_selector'].includes(name) && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(text.trim());

/** Whether the contract takes this text as this query parameter. */
function fits(
  { type, format, pattern, enum: values, minLength = 0, maxLength = Infinity, minimum = 0, maximum = 0 }: Schema,
  text: string,
): boolean {
  if (control.test(text) || format === 'date-time') return false;
  if (type === 'boolean') return ['true', 'false'].includes(text);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  if (type === 'integer') return /^\d{1,16}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
  if (values) return values.includes(text);
  return Array.from(text).length >= minLength && Array.from(text).length <= maxLength;
}

test('an awkward text in any query parameter is refused or finds nothing', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  let calls = 0;
  await Promise.all(
    lists.map(async (operation) => {
      const token = scene.tokenFor(operation);
      const isPaged = parametersIn(operation, 'query').some(({ name }) => name === 'limit');
      for (const [index, { name, schema }] of parametersIn(operation, 'query').entries()) {
        const longest = schema.maxLength ?? 1;
        const some = someTexts(index + lists.indexOf(operation), 3);
        const cases = [...Object.values(some), '🦾'.repeat(longest), '🦾'.repeat(longest + 1)];
        for (const text of cases) {
          const query = new URLSearchParams({
            ...requiredQuery(operation),
            ...(name !== 'limit' && isPaged && { limit: '5' }),
            [name]: text,
          });
          const answer = await world.call('GET', `${operation.path}?${query.toString()}`, { token });
          const what = `${operation.id} ${name}=${text}: ${answer.text.slice(0, 200)}`;
          calls += 1;
          const tooLong = operation.path.length + 1 + query.toString().length > 4_096;
          // A cursor that is a text like any other is no cursor of ours.
          if (tooLong || !fits(schema, text) || name === 'cursor' || (spoken.includes(name) && !isLabel(name, text)))
            expect(answer.status, what).toBe(400);
          else {
            expect(answer.status, what).toBe(200);
            if (schema.type === 'string' && !schema.enum) expect(foundIn(answer.body), what).toEqual([]);
          }
        }
      }
    }),
  );
  expect(calls).toBeGreaterThan(600);
  expect(world.lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});

test('a query that is not plain, and one that the operation does not know, is refused by every operation', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  await Promise.all(
    operations.map(async (operation) => {
      const token = scene.tokenFor(operation);
      const { path, headers, body } = await scene.call(operation, { fresh: false });
      for (const [name, query] of Object.entries(refusedQueries)) {
        const answer = await world.call(operation.method, `${path}${path.includes('?') ? '&' : '?'}${query}`, {
          token,
          headers,
          body,
        });
        expect(answer.status, `${operation.id}, ${name}: ${answer.text.slice(0, 200)}`).toBe(400);
      }
    }),
  );
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  expect(world.lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});

test('an awkward text as the id in a path is refused or found nowhere, and nothing is changed', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const before = await world.count('audit');
  await Promise.all(
    operations
      .filter(({ path }) => path.includes('{id}'))
      .map(async (operation) => {
        const token = scene.tokenFor(operation);
        const { body } = await scene.call(operation, { fresh: false });
        const cases = [
          ...Object.values(someTexts(operations.indexOf(operation), 2)),
          scene.robotId.toUpperCase(),
          `${scene.robotId} `,
          '🦾'.repeat(128),
          '🦾'.repeat(129),
        ];
        for (const text of cases) {
          const path = operation.path.replace('{id}', encodeURIComponent(text));
          const answer = await world.call(operation.method, path, { token, headers: headersFor(operation), body });
          const refused = control.test(text) || /[/\\]/.test(text) || text === '' || Array.from(text).length > 128;
          expect(answer.status, `${operation.id} ${text}: ${answer.text}`).toBe(refused ? 400 : 404);
        }
      }),
  );
  expect(await world.count('audit')).toBe(before);
  expect(world.lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});

/** A valid cursor of a list behind which there is nothing. */
function behindAll(operationId: string, robotId: string): string {
  if (operationId === 'listLogs') return encodeSearch('newest', { after: { receivedAtMs: 0, robotId, seq: 0 } });
  const place = operationId === 'listConfigRevisions' ? '999999999999999' : `999999999999999.${robotId}`;
  return Buffer.from(place).toString('base64url');
}

test('a cursor that nobody was given is refused, or begins where it says, and one without a limit is refused where all are listed without one', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const paged = lists.filter((operation) => parametersIn(operation, 'query').some(({ name }) => name === 'cursor'));
  for (const operation of paged) {
    const token = scene.tokenFor(operation);
    const required = new URLSearchParams({ ...requiredQuery(operation), limit: '5' }).toString();
    for (const cursor of forgedCursors) {
      const text = cursor.startsWith('%') ? cursor : encodeURIComponent(cursor);
      const answer = await world.call('GET', `${operation.path}?${required}&cursor=${text}`, { token });
      expect([200, 400], `${operation.id} ${cursor}: ${answer.text}`).toContain(answer.status);
    }
    const far = behindAll(operation.id, scene.robotId);
    expect((await world.call('GET', `${operation.path}?${required}&cursor=${far}`, { token })).body.items).toEqual([]);
    const unlimited = required.replace('limit=5', `cursor=${far}`);
    // Log records are too many to list without a limit: there is a default.
    const expected = operation.id === 'listLogs' ? 200 : 400;
    expect((await world.call('GET', `${operation.path}?${unlimited}`, { token })).status).toBe(expected);
  }
  expect(paged.length).toBeGreaterThanOrEqual(7);
});

test('an awkward header is refused or ignored: the org that is chosen, the request id, the kind of the body', async () => {
  await using world = await startIsolatedWorld();
  const ask = (headers: Record<string, string>) => world.call('GET', '/api/whoami', { headers });
  const ascii = Object.values(texts).filter(
    (text) => /^[\x20-\x7e]+$/.test(text) && text.length < 4_000 && text.trim() !== '',
  );
  for (const text of ascii) {
    expect((await ask({ 'X-Service-Org-Id': text })).status, text).toBe(404);
    const id = (await ask({ 'X-Request-Id': text })).headers.get('x-request-id') ?? '';
    expect(id === text.trim() || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id), text).toBe(true);
    const post = (headers: Record<string, string>) =>
      world.call('POST', '/api/sites', { body: { name: 'Osaka' }, headers });
    expect((await post({ 'Content-Type': text })).status, text).toBe(415);
    expect((await post({ 'Content-Encoding': text })).status, text).toBe(415);
    expect((await world.call('GET', '/api/whoami', { token: '', headers: { Authorization: text } })).status).toBe(401);
  }
  for (const type of ['text/plain', 'application/json; charset=latin1', 'application/jsonp', 'application/json, a/b'])
    expect((await world.call('POST', '/api/sites', { body: {}, headers: { 'Content-Type': type } })).status).toBe(415);
  expect(await world.count('sites')).toBe(0);
  expect(ascii.length).toBeGreaterThan(30);
});
