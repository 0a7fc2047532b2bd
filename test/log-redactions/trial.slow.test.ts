import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { logRobot } from '../support/log-robot.ts';
import { startWorld, type World } from '../support/world.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3';
const path = '/api/log-redactions/test';

const trial = (world: World, pattern: string, messages: string[], replacement?: string) =>
  world.call('POST', path, { body: { pattern, messages, ...(replacement !== undefined && { replacement }) } });

const newest = async (world: World): Promise<string | undefined> =>
  (await world.call('GET', '/api/audit?limit=1')).body.items[0]?.id;

test('a test of a rule says of each message whether the rule changes it, and what would be stored', async () => {
  await using world = await startWorld();
  await factories(world).redaction({ name: 'badge', pattern: 'badge [0-9]+' });
  const messages = ['door code: 1234, badge 7', 'dock reached', `badge 8 and ${jwt}`, `door code: 5678 ${jwt}`, ''];
  const { status, body } = await trial(world, 'door code: ?[0-9]{4}', messages);
  expect([status, body.data]).toEqual([
    200,
    {
      matched: 2,
      results: [
        { matched: true, message: '[redacted], [redacted: badge]' },
        { matched: false, message: 'dock reached' },
        { matched: false, message: '[redacted: badge] and [redacted: jwt]', builtin_rule: 'jwt' },
        { matched: true, message: '[redacted] [redacted: jwt]', builtin_rule: 'jwt' },
        { matched: false, message: '' },
      ],
    },
  ]);
  const other = await trial(world, 'eyJ[^ ]+', [jwt, 'badge 7'], 'token=$1');
  expect(other.body.data).toEqual({
    matched: 1,
    results: [
      { matched: true, message: 'token=$1', builtin_rule: 'jwt' },
      { matched: false, message: '[redacted: badge]' },
    ],
  });
});

test('a test of a rule gives what is stored once the rule exists', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { robot_id: id, robot_token: token } = (await make.robot()) as Record<string, string>;
  using robot = await logRobot(world.url, token ?? '');
  await make.redaction({ name: 'first', pattern: 'code [0-9]', replacement: 'secret' });
  const rule = { pattern: '(?i)secret|PIN=[0-9]+|[🤖.]', replacement: 'xx'.repeat(100) };
  const messages = ['code 1, pin=77', `pin=1 ${jwt}`, '🤖', 'none', '.'.repeat(16_000), `${'é'.repeat(8_000)}.`];
  const { body } = await trial(world, rule.pattern, messages, rule.replacement);
  await make.redaction(rule);
  await robot.say(...messages);
  const records = (await world.call('GET', `/api/robots/${id}/logs`)).body.items as { message: string }[];
  expect(body.data.results.map(({ message }: { message: string }) => message)).toEqual(
    records.map(({ message }) => message),
  );
  expect(body.data.matched).toBe(5);
});

test('a test of a rule stores nothing, and leaves no entry in the audit log', async () => {
  await using world = await startWorld();
  const rules = (await world.call('GET', '/api/log-redactions')).text;
  const before = await newest(world);
  expect((await trial(world, 'code', ['code'])).status).toBe(200);
  expect(await newest(world)).toBe(before);
  expect((await world.call('GET', '/api/log-redactions')).text).toBe(rules);
});

test('a pattern or messages that cannot be tested are refused in one sentence', async () => {
  await using world = await startWorld();
  const refused: [pattern: string, messages: string[], message: RegExp][] = [
    ['(', ['a'], /^body\.pattern: is not a regular expression in RE2 syntax: missing closing \)/],
    ['a*', ['a'], /^body\.pattern: matches the empty text/],
    ['a{1000}b{1000}', ['a'], /^body\.pattern: is too large/],
    ['a(?:.*bb|)', ['a'], /^body\.pattern: is too slow/],
    ['x'.repeat(501), ['a'], /^body\.pattern: must/],
    ['a', [], /^body\.messages: must/],
    ['a', Array.from({ length: 1_001 }, () => 'a'), /^body\.messages: must/],
    ['a', ['a'.repeat(16_385)], /^body\.messages/],
    [
      'a',
      Array.from({ length: 17 }, () => 'é'.repeat(8_000)),
      /^body\.messages: have 272000 bytes together; at most 262144 are tested at a time$/,
    ],
  ];
  for (const [pattern, messages, message] of refused) {
    const { status, body } = await trial(world, pattern, messages);
    expect([pattern.slice(0, 20), status]).toEqual([pattern.slice(0, 20), 400]);
    expect(body.error.message).toMatch(message);
  }
});
