import { expect, test } from 'vitest';
import { signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startKillableService } from '../../../support/killable-service.ts';
import { logRobot } from '../../../support/log-robot.ts';
import { robotsOf, type Identity } from '../../../support/robots.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const escape = '\u001b';

test('--follow prints the latest records and then each as it comes, until it is interrupted', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('one', 'two', { message: 'three', level: 'warn', source: 'power' });
  const following = home.start(['robots', 'logs', 'amr-1', '-f', '--tail', '2', '-o', 'table']);
  await following.sees('three');
  await robot.say('four', { message: 'without a clock', ts: '1970-01-02T12:00:00.471Z' });
  await following.sees('without a clock');
  following.kill('SIGINT');
  const { code, stdout } = await following.ended;
  expect(code).toBe(130);
  const time = String.raw`\d\d:\d\d:\d\d\.\d{3}`;
  expect(stdout).toMatch(
    new RegExp(
      `^${time} {2}info {3}nav {2}two\n${time} {2}warn {3}power {2}three\n${time} {2}info {3}nav {2}four\n` +
        `1970-01-0[123] ${time} {2}info {3}nav {2}without a clock\n$`,
    ),
  );
});

test('a robot that is away ends --follow with "agent offline" and a code of its own', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_token: token } = await robotsOf(world).enroll('amr-1');
  const line = ['robots', 'logs', 'amr-1', '--follow'];
  const never = await home.cli(line);
  expect(never).toMatchObject({ code: 9, stdout: '' });
  expect(never.stderr).toBe(
    'Error: agent offline: "amr-1" has never connected\n  Start its agent on the robot with: cli agent run\n',
  );
  const robot = await logRobot(world.url, token);
  robot[Symbol.dispose]();
  const seen = async () => (await world.call('GET', '/api/robots')).body.items[0];
  await expect.poll(async () => (await seen()).online).toBe(false);
  const { last_seen_at: at } = await seen();
  const { code, stdout, stderr } = await home.cli([...line, '--json']);
  expect(code).toBe(9);
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'conflict', message: 'agent offline' } });
  expect(stderr).toMatch(new RegExp(`^Error: agent offline: "amr-1" was last seen \\d+s ago \\(${String(at)}\\)\n`));
  expect(stderr).toContain('\n  Read its stored logs with: cli robots logs amr-1. ');
  const debugged = await home.cli(['robots', 'logs', 'amr-1', '--follow', '--debug']);
  expect(debugged.stderr).toMatch(/^debug: GET ws:\/\/\S+\/logs\/ws\S*: 409 in \d+ ms, request ID \S+$/m);
  expect(debugged.stderr).not.toContain(world.orgToken);
});

test('a robot that is removed while it is followed ends that as one that is not there', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  const following = home.start(['robots', 'logs', 'amr-1', '--follow', '-o', 'jsonl']);
  await following.sees('one');
  await world.call('DELETE', `/api/robots/${id}`);
  const { code, stderr } = await following.ended;
  expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringMatching(/^Error: the robot was removed\n/) });
  expect(stderr).toContain(`\n  Print its stored logs with: cli logs --robot ${id}\n`);
  const { code: found, stdout } = await home.cli(['logs', '--robot', id, '-o', 'jsonl']);
  expect({ found, messages: messagesOf(stdout) }).toEqual({ found: 0, messages: ['one'] });
});

test('-o kv has an empty line after each record', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  await robot.say('two');
  const words = ['robots', 'logs', 'amr-1', '--follow', '-o', 'kv', '--fields', 'level,message'];
  const following = home.start(words);
  await following.sees('level\tinfo\nmessage\tone\n\nlevel\tinfo\nmessage\ttwo\n\n');
  following.kill('SIGINT');
  expect((await following.ended).code).toBe(130);
});

test('a pager that stands still is not filled up: it reads on, and is told what it was spared', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  const following = home.start(['robots', 'logs', 'amr-1', '--follow', '-o', 'jsonl']);
  await robot.say('the first');
  await following.sees('the first');
  following.stopReading();
  const count = 30_000;
  const text = 'x'.repeat(1_000); // the sockets on the way hold a third of it
  for (let sent = 0; sent < count; sent += 1_500) await robot.say(...Array.from({ length: 1_500 }, () => text));
  await robot.say('the last');
  following.readOn();
  await following.sees('the last');
  following.kill('SIGINT');
  const { stdout, stderr } = await following.ended;
  const gaps = [...stderr.matchAll(/gap: (\d+) records skipped/g)].map(([, dropped]) => Number(dropped));
  const spared = gaps.reduce((sum, dropped) => sum + dropped, 0);
  expect(spared).toBeGreaterThan(0);
  expect(stdout.trim().split('\n')).toHaveLength(count + 2 - spared);
});

test('what has an end, or no lines, does not go with --follow', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: 'http://127.0.0.1:9' });
  for (const [flag, said] of [
    ['--until=1h', '--until and --follow exclude each other'],
    ['--cursor=x', '--cursor and --follow exclude each other'],
    ['--after=1', '--after and --follow exclude each other'],
    ['--tail=10001', '--tail'],
  ] as const) {
    const { code, stderr } = await home.cli(['robots', 'logs', 'amr-1', '--follow', flag]);
    expect(code, flag).toBe(2);
    expect(stderr).toContain(said);
  }
  expect((await home.cli(['robots', 'logs', 'amr-1', '--tail', '0'])).stderr).toContain('--tail 0 requires --follow');
  expect((await home.cli(['robots', 'logs', 'amr-1', 'amr-2'])).stderr).toContain('Add --follow');
});

test('several robots are told apart by name and colour; one that is away is waited for, and its missing lines come', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const [one, two] = [await robotsOf(world).enroll('amr-1'), await robotsOf(world).enroll('long-name-2')];
  using first = await logRobot(world.url, one.robot_token);
  const following = home.start(['robots', 'logs', 'amr-1', 'long-name-2', '--follow', '--tail', '0'], { columns: 120 });
  await following.sees('long-name-2: agent offline');
  await first.say('here');
  await following.sees('here');
  const second = await logRobot(world.url, two.robot_token);
  await following.sees('long-name-2: reconnected');
  await second.say('there');
  await following.sees('there');
  second.agent.socket.close(1000);
  await expect.poll(() => following.text().split('long-name-2: agent offline').length).toBe(3);
  using again = await logRobot(world.url, two.robot_token, 's', 1);
  await again.say('while nobody looked');
  await following.sees('while nobody looked');
  following.type('\u0003');
  const { code } = await following.ended;
  expect(code).toBe(130);
  const text = following.text();
  expect(text).toMatch(/\u001b\[36mamr-1 {6}\u001b\[39m.*here/);
  expect(text).toMatch(/\u001b\[35mlong-name-2\u001b\[39m.*there/);
  expect(text.split('while nobody looked')).toHaveLength(2);
});

test('a fleet is followed with the robots that it has, and with those that join it', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const key = await factories(world).key();
  const enroll = async (name: string) => (await factories(world).robot(name, key)) as { robot_token: string };
  using first = await logRobot(world.url, (await enroll('amr-1')).robot_token);
  const following = home.start(['fleets', 'logs', 'pickers', '--follow', '-o', 'jsonl']);
  await first.say('a');
  await following.sees('"a"');
  using second = await logRobot(world.url, (await enroll('amr-2')).robot_token);
  await second.say('b');
  await following.sees('"b"');
  following.kill('SIGTERM');
  const { stdout } = await following.ended;
  expect(messagesOf(stdout)).toEqual(['a', 'b']);
});

for (const tail of ['0', '2'])
  test(`robots that are offline at first lose nothing that they send on return, with --tail ${tail}`, async () => {
    await using world = await startIsolatedWorld();
    await using home = await signedInHome(world);
    const [one, two] = [await robotsOf(world).enroll('amr-1'), await robotsOf(world).enroll('amr-2')];
    using other = await logRobot(world.url, two.robot_token);
    const before = await logRobot(world.url, one.robot_token);
    await before.say('old 1', 'old 2', 'old 3');
    before[Symbol.dispose]();
    await expect.poll(async () => (await robotsOf(world).robot(one)).online).toBe(false);
    const following = home.start(['robots', 'logs', 'amr-1', 'amr-2', '--follow', '--tail', tail, '-o', 'jsonl']);
    await following.sees('amr-1: agent offline');
    following.kill('SIGSTOP'); // all is stored before it retries
    using robot = await logRobot(world.url, one.robot_token, 's', 3);
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}.`);
    await robot.say(...lines);
    await other.say('the other');
    following.kill('SIGCONT');
    await following.sees('amr-1: reconnected');
    await robot.say('the end');
    await following.sees('the end');
    following.kill('SIGTERM');
    const messages = messagesOf((await following.ended).stdout).filter((message) => message !== 'the other');
    expect(messages).toEqual([...(tail === '0' ? [] : ['old 2', 'old 3']), ...lines, 'the end']);
  });

test('a robot that joins a followed fleet or site is shown from its first record there, and one that leaves is named', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { fleet: newFleet, key: newKey, robot: enroll, site: newSite } = factories(world);
  const pickers = await newFleet();
  const elsewhere = await newFleet((await newSite('Kyoto')).id, 'packers');
  const [key, otherKey] = await Promise.all(
    [pickers, elsewhere].map(({ id, site_id }) => newKey({ site_id, fleet_id: id })),
  );
  const moving = (await enroll('amr-1', otherKey)) as Identity;
  using mover = await logRobot(world.url, moving.robot_token);
  await mover.say('old, of packers');
  const followings = [
    ['--fleet', pickers.id, '--tail', '0'],
    ['--site', pickers.site_id],
  ].map((scope) => home.start(['logs', ...scope, '--follow', '-o', 'jsonl']));
  for (const following of followings) await following.sees('are in this');
  await mover.say('of packers');
  await world.call('PATCH', `/api/robots/${moving.robot_id}`, { body: { fleet_id: pickers.id } });
  const said = Array.from({ length: 20 }, (_, index) => `moved ${index}.`);
  await mover.say(...said);
  using booting = await logRobot(world.url, ((await enroll('amr-2', key)) as Identity).robot_token);
  const booted = Array.from({ length: 20 }, (_, index) => `booted ${index}.`);
  await booting.say(...booted);
  for (const following of followings) {
    await following.sees('moved 19.');
    await following.sees('booted 19.');
  }
  await world.call('PATCH', `/api/robots/${moving.robot_id}`, { body: { fleet_id: elsewhere.id } });
  await Promise.all(followings.map((following) => following.sees('amr-1: left this')));
  await mover.say('of packers again');
  await world.call('PATCH', `/api/robots/${moving.robot_id}`, { body: { fleet_id: pickers.id } });
  await mover.say('back');
  for (const following of followings) {
    await following.sees('"back"');
    following.kill('SIGTERM');
    const messages = messagesOf((await following.ended).stdout);
    expect(messages.filter((message) => !message.startsWith('booted'))).toEqual([...said, 'back']);
    expect(messages.filter((message) => message.startsWith('booted'))).toEqual(booted);
  }
});

test('`logs --follow` follows a fleet or a site, and ends with code 130 on Ctrl-C, its last lines whole', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const key = await factories(world).key();
  const { robot_token: token } = (await factories(world).robot('amr-1', key)) as { robot_token: string };
  using robot = await logRobot(world.url, token);
  for (const scope of [
    ['--fleet', 'pickers'],
    ['--site', 'Osaka'],
  ]) {
    const following = home.start(['logs', ...scope, '--follow', '-o', 'jsonl']);
    await robot.say(`seen by ${scope.join(' ')}`);
    await following.sees(`seen by ${scope.join(' ')}`);
    following.kill('SIGINT');
    const { code, stdout, stderr } = await following.ended;
    expect([scope, code]).toEqual([scope, 130]);
    expect(stderr).not.toMatch(/Error|at .*\.js/);
    expect(stdout).toMatch(/\n$/);
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { message: string };
    expect(last.message).toBe(`seen by ${scope.join(' ')}`);
  }
});

test('a token that is revoked ends --follow of robots, of a fleet and of an empty site, each with the refusal', async () => {
  await using world = await startIsolatedWorld();
  const make = factories(world);
  await using home = await startHome({ SERVICE_TOKEN: await make.userToken('viewer'), TEST_BASE_URL: world.url });
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2']) await make.robot(name, key);
  await make.site('Kyoto');
  const followings = [
    ['robots', 'logs', 'amr-1', 'amr-2'],
    ['fleets', 'logs', 'pickers'],
    ['logs', '--site', 'Kyoto'],
  ].map((line) => home.start([...line, '--follow', '-o', 'jsonl']));
  const [robots, fleet, site] = followings;
  for (const following of [robots, fleet])
    for (const name of ['amr-1', 'amr-2']) await following?.sees(`${name}: agent offline`);
  await site?.sees('No robots are in this site yet');
  for (const { id, kind } of (await world.call('GET', '/api/tokens')).body.items)
    if (kind === 'user') await world.call('POST', `/api/tokens/${id}/revoke`);
  for (const following of followings) {
    const { code, stderr } = await following.ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining('Error: Token rejected: ')]);
  }
  for (const following of [robots, fleet])
    for (const name of ['amr-1', 'amr-2'])
      expect(following?.text()).toMatch(new RegExp(`^${name}: .*; stopped following its logs$`, 'm'));
});

test('of a fleet each robot is said to be away, and to be there again', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const key = await factories(world).key();
  const names = ['amr-1', 'amr-2'];
  const robots = await Promise.all(names.map((name) => factories(world).robot(name, key)));
  const following = home.start(['fleets', 'logs', 'pickers', '--follow', '-o', 'jsonl']);
  const times = (what: string) => following.text().split(what).length - 1;
  await expect.poll(() => names.map((name) => times(`${name}: agent offline`))).toEqual([1, 1]);
  for (const [index, name] of names.entries()) {
    using robot = await logRobot(world.url, (robots[index] as { robot_token: string }).robot_token);
    await expect.poll(() => times(`${name}: reconnected`)).toBe(1);
    await robot.say('here');
  }
  following.kill('SIGTERM');
  await following.ended;
});

test('a service that is killed and comes back costs --follow no record and gives none twice', async () => {
  await using service = await startKillableService();
  await using home = await startHome({ SERVICE_TOKEN: service.token, TEST_BASE_URL: service.url.origin });
  const { robot, token } = await enrolled(service);
  const quiet = await logRobot(service.url.origin, token);
  const following = home.start(['robots', 'logs', robot, '--follow', '--tail', '0', '-o', 'jsonl']);
  const metrics = async () => (await fetch(new URL('/metrics', service.url))).text();
  await expect.poll(metrics).toContain('fleet_viewers{kind="logs"} 1');
  quiet[Symbol.dispose]();
  let said = 0;
  // Nothing came before the first cut: where the stream began is known all the same.
  for (let round = 0; round < 2; round += 1) {
    await service.killServer();
    await service.startServer();
    using talking = await logRobot(service.url.origin, token, 's', said);
    await talking.say(...Array.from({ length: 50 }, () => `line ${(said += 1)}.`));
    await following.sees(`line ${said}.`);
  }
  using last = await logRobot(service.url.origin, token, 's', said);
  await last.say('the end');
  await following.sees('the end');
  following.kill('SIGINT');
  const { stdout, stderr } = await following.ended;
  expect(messagesOf(stdout)).toEqual([...Array.from({ length: said }, (_, index) => `line ${index + 1}.`), 'the end']);
  expect(stderr).toContain('reconnected');
});

const messagesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message);

/** Whatever a terminal might obey: each C0 and C1 control, and sequences of every kind, whole and cut off. */
const payloads = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 33 }, (_, code) => String.fromCharCode(127 + code)),
  ...[
    '[2J',
    '[H',
    '[31m',
    '[?1049h',
    '[6n',
    '[8;1;1t',
    '[?1000h',
    '[5i',
    'c',
    '(0',
    '#8',
    '7',
    'M',
    'Z',
    '=',
    '>',
    'N',
    'O',
  ].map((tail) => `${escape}${tail}`),
  ...[
    '0;title',
    '2;x',
    '4;1;?',
    '8;;http://evil',
    '10;?',
    '52;c;aGk=',
    '52;c;?',
    '777;notify;a;b',
    '1337;File=:AA',
  ].flatMap((osc) => ['\u0007', `${escape}\\`, '\u009c', ''].map((end) => `${escape}]${osc}${end}`)),
  ...['P1$r0m', '_Gi=1;AAAA', '^secret', 'Xsos', 'Pq#0'].flatMap((body) =>
    [`${escape}\\`, '\u009c', ''].map((end) => `${escape}${body}${end}`),
  ),
  ...[
    '\u009b2J',
    '\u009d0;t\u009c',
    '\u0090q\u009c',
    '\u009f\u009c',
    '\u202e\u2066txt',
    '\u2028a\u2029b',
    '\ufeff',
    '\u200b',
  ],
  ...['\r\nError: forged', 'a\rb', 'a\bb', 'a\vb\fc', '\u0000', `x${escape}`, `${escape}${escape}[A`, '\u0085next'],
];

testWith('script')('nothing that a robot says makes the terminal do anything', async () => {
  expect(payloads.length).toBeGreaterThanOrEqual(150);
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('begin');
  const following = home.start(['robots', 'logs', 'amr-1', '--follow'], { columns: 200, env: { NO_COLOR: '1' } });
  await following.sees('begin');
  await robot.say(
    ...payloads.map((payload, index) => ({
      message: `<${index}>${payload}</>`,
      source: `s${payload}`.slice(0, 60),
    })),
    'the end',
  );
  await following.sees('the end');
  following.kill('SIGINT');
  await following.ended;
  const text = following.text().split('begin')[1]?.split('the end')[0] ?? '';
  expect(text.split('\r\n').length).toBe(payloads.length + 1 + 1);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2028\u2029\u2066\ufeff\u200b]/);
});

async function enrolled({ url, token }: { url: URL; token: string }): Promise<{ robot: string; token: string }> {
  const post = async (path: string, body: object, bearer = token) => {
    const answer = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: Record<string, string> }).data;
  };
  const site = await post('/api/sites', { name: 'Osaka' });
  const fleet = await post('/api/fleets', { name: 'pickers', site_id: site['id'] });
  const key = await post('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
  const robot = await post('/agent/enroll', { name: 'amr-1' }, key['value']);
  return { robot: robot['robot_id'] ?? '', token: robot['robot_token'] ?? '' };
}
