import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { logRobot, type LogRobot } from '../support/log-robot.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

interface Rule {
  id: string;
  name: string;
  builtin: boolean;
}

const rulesOf = async (world: World): Promise<Rule[]> =>
  (await world.call('GET', '/api/log-redactions')).body.items as Rule[];

const builtin = async (world: World, name: string): Promise<string> =>
  (await rulesOf(world)).find((rule) => rule.name === name)?.id ?? '';

async function robotOf(world: World): Promise<LogRobot & { records(): Promise<Record<string, unknown>[]> }> {
  const { robot_id: id, robot_token: token } = (await factories(world).robot()) as Record<string, string>;
  const robot = await logRobot(world.url, token ?? '');
  return {
    ...robot,
    records: async () => (await world.call('GET', `/api/robots/${id}/logs`)).body.items as Record<string, unknown>[],
  };
}

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3';

test('every org has the built-in rules, enabled; they can be disabled, and neither changed nor deleted', async () => {
  await using world = await startWorld();
  const rules = await rulesOf(world);
  expect(rules.map(({ name }) => name).sort()).toEqual([
    ...['authorization-header', 'aws-key', 'github-token', 'gitlab-token', 'jwt', 'private-key'],
    ...['service-token', 'slack-token', 'url-password'],
  ]);
  for (const rule of rules)
    expect(rule).toMatchObject({ builtin: true, enabled: true, replacement: `[redacted: ${rule.name}]` });
  const path = `/api/log-redactions/${await builtin(world, 'jwt')}`;
  for (const change of [{ name: 'mine' }, { pattern: 'mine' }, { replacement: 'mine' }]) {
    const { status, body } = await world.call('PATCH', path, { body: change });
    expect([status, body.error.message]).toEqual([
      400,
      `body.${Object.keys(change)[0]}: jwt is built in; of its fields, only enabled can be changed`,
    ]);
  }
  const deleted = await world.call('DELETE', path);
  expect([deleted.status, deleted.body.error.message]).toEqual([409, 'jwt is built in; disable it instead']);
  const disabled = await world.call('PATCH', path, { body: { enabled: false } });
  expect([disabled.status, disabled.body.data.enabled]).toEqual([200, false]);
  const [entry] = (await world.call('GET', '/api/audit?limit=1')).body.items;
  expect(entry).toMatchObject({ object_kind: 'log_redaction', before: { enabled: true }, after: { enabled: false } });
});

test('what a rule matches in a message or its fields is not stored, from the next record on', async () => {
  await using world = await startWorld();
  using robot = await robotOf(world);
  await robot.say(`login with ${jwt}`, 'door code: 1234');
  const make = factories(world);
  await make.redaction({ name: 'door-code', pattern: 'door code: ?[0-9]{4}' });
  await make.redaction({ name: 'pin', pattern: '(?i)pin=[0-9]+', replacement: 'pin=$1' });
  await robot.say(
    { message: 'the door code: 1234 and PIN=77', fields: { door: ['door code:1234', 7, null], 'pin=1': { jwt } } },
    { message: { said: 'door code: 1234' }, level: 'error', source: 'door code: 1234' },
    'nav started',
  );
  const records = (await robot.records()).map(({ level, source, message, fields, redacted }) => ({
    level,
    source,
    message,
    fields,
    redacted,
  }));
  const plain = { level: 'info', source: 'nav', fields: undefined, redacted: undefined };
  expect(records).toEqual([
    { ...plain, message: 'login with [redacted: jwt]', redacted: true },
    { ...plain, message: 'door code: 1234' },
    {
      ...plain,
      message: 'the [redacted: door-code] and pin=$1',
      fields: { door: ['[redacted: door-code]', 7, null], 'pin=$1': { jwt: '[redacted: jwt]' } },
      redacted: true,
    },
    {
      ...plain,
      level: 'error',
      source: 'door code: 1234',
      message: '{"said":"[redacted: door-code]"}',
      redacted: true,
    },
    { ...plain, message: 'nav started' },
  ]);
  const { text } = await world.call('GET', '/metrics', { token: '' });
  expect(text).toMatch(/^fleet_log_records_redacted_total [1-9]/m);
});

test('a rule that is disabled, changed or deleted has no effect from the next record on', async () => {
  await using world = await startWorld();
  using robot = await robotOf(world);
  const rule = (await factories(world).redaction({ name: 'code', pattern: 'code [0-9]' })) as unknown as Rule;
  const path = `/api/log-redactions/${rule.id}`;
  await robot.say('code 1, key a');
  await world.call('PATCH', path, { body: { pattern: 'key [a-z]', name: 'key' } });
  await robot.say('code 2, key b');
  await world.call('PATCH', path, { body: { enabled: false } });
  await world.call('PATCH', `/api/log-redactions/${await builtin(world, 'jwt')}`, { body: { enabled: false } });
  await robot.say(`code 3, key c, ${jwt}`);
  await world.call('PATCH', path, { body: { enabled: true } });
  await robot.say('code 4, key d');
  await world.call('DELETE', path);
  await robot.say('code 5, key e');
  expect((await robot.records()).map(({ message }) => message)).toEqual([
    '[redacted: code], key a',
    'code 2, [redacted: key]',
    `code 3, key c, ${jwt}`,
    'code 4, [redacted: key]',
    'code 5, key e',
  ]);
});

test('a pattern that cannot be used is refused in one sentence, and nothing is changed', async () => {
  await using world = await startWorld();
  const rule = (await factories(world).redaction({ name: 'first', pattern: 'first' })) as unknown as Rule;
  const refused: [pattern: string, message: RegExp][] = [
    ['(', /^body\.pattern: is not a regular expression in RE2 syntax: missing closing \)/],
    ['(?=a)', /^body\.pattern: is not a regular expression in RE2 syntax: invalid or unsupported Perl syntax/],
    ['(a)\\1', /^body\.pattern: is not a regular expression in RE2 syntax: invalid escape sequence/],
    ['a*', /^body\.pattern: matches the empty text/],
    ['\\b', /^body\.pattern: matches the empty text/],
    ['a{1000}b{1000}', /^body\.pattern: is too large/],
    ['a{1000}'.repeat(71), /^body\.pattern: is too large/],
    ['a(?:.*bb|)', /^body\.pattern: is too slow/],
    ['first', /^body\.pattern: the rule first has this pattern already$/],
    ['x'.repeat(501), /^body\.pattern: /],
    ['', /^body\.pattern: /],
  ];
  const other = (await factories(world).redaction()) as unknown as Rule;
  for (const [pattern, message] of refused)
    for (const answer of [
      await world.call('POST', '/api/log-redactions', { body: { name: 'new', pattern } }),
      await world.call('PATCH', `/api/log-redactions/${other.id}`, { body: { pattern } }),
    ]) {
      expect([pattern, answer.status]).toEqual([pattern, 400]);
      expect(answer.body.error.message).toMatch(message);
    }
  // Its own pattern is not another rule's.
  const same = await world.call('PATCH', `/api/log-redactions/${rule.id}`, { body: { pattern: 'first' } });
  expect(same.status).toBe(200);
  expect((await rulesOf(world)).filter((each) => !each.builtin).map(({ name }) => name)).toHaveLength(2);
});

test('an org has at most 50 rules of its own, also when many are created at once', async () => {
  await using world = await startWorld();
  const create = (index: number) =>
    world.call('POST', '/api/log-redactions', { body: { name: `rule ${index}`, pattern: `code ${index}x` } });
  const answers = await Promise.all(Array.from({ length: 53 }, (_each, index) => create(index)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  const [full] = answers.filter(({ status }) => status !== 201);
  expect([full?.status, full?.body.error.message]).toEqual([
    409,
    'the org has 50 log redaction rules; delete one first',
  ]);
});

test('a rule that is created over one replica applies to the robots of another', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  using robot = await robotOf(other);
  await robot.say('code 1');
  await factories(world).redaction({ name: 'code', pattern: 'code [0-9]+' });
  // The notice of the change may come after the response.
  let sent = 1;
  await expect
    .poll(async () => {
      await robot.say(`code ${(sent += 1)}`);
      return (await robot.records()).at(-1)?.['message'];
    })
    .toBe('[redacted: code]');
  expect((await robot.records())[0]?.['message']).toBe('code 1');
});
