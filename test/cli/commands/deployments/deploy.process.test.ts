import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listen, signedInHome, startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld, type World } from '../../../support/world.ts';

async function pushed(home: Home, tag: string, ...flags: string[]): Promise<string> {
  const args = ['releases', 'push', '-', '--tag', tag, '--fields', 'id', ...flags];
  const { stdout, stderr } = await home.cli(args, { input: tag });
  expect(stderr).toBe('');
  return stdout.trim();
}

/** A world with the fleet pickers and its robot amr-007. */
async function withRobot(world: World): Promise<string> {
  const make = factories(world);
  return ((await make.robot('amr-007', await make.key())) as { robot_id: string }).robot_id;
}

test('a deployment is for a robot or for a fleet: with both or neither nothing is sent', async () => {
  await using server = await listen((_, response) => response.end('{"items":[]}'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const wrong: [flags: string[], text: string][] = [
    [[], 'missing flag --robot <id|name>, --fleet <id|name> or --selector <selector>'],
    [['--robot', 'a', '--fleet', 'b'], '--robot and --fleet exclude each other'],
    [['--selector', 'a', '--fleet', 'b'], '--fleet and --selector exclude each other'],
    [['--selector', 'a', '--robot', 'b'], '--robot and --selector exclude each other'],
    [
      ['--robot', 'a', '--scheduled-at', 'tomorrow'],
      '"tomorrow" is not a start time\n  Use now, in 30m, 22:00, tomorrow 06:00 or',
    ],
    [['--robot', 'a', '--scheduled-at', '2026-11-22T02:00:00'], 'is not a start time'],
    [['--robot', 'a', '--scheduled-at', 'in 400d'], '"in 400d" is more than a year ahead'],
    [['--robot', 'a', '--scheduled-at', '2026-13-01T00:00:00Z'], '"2026-13-01T00:00:00Z" is not a start time'],
    [
      ['--robot', 'a', '--scheduled-at', '2027-02-29T00:00:00Z'],
      'Use now, in 30m, 22:00, tomorrow 06:00 or 2030-01-31T02:00:00+09:00',
    ],
    [['--robot', 'a', '--scheduled-at', '2026-11-22T24:00:00+09:00'], 'is not a start time'],
    [['--robot', 'a', '--scheduled-at', '2026-11-22T02:00:00+24:00'], 'is not a start time'],
    [['--robot', 'a', '--idempotency-key', 'a b'], '--idempotency-key must be 1 to 255 visible characters'],
    [['--robot', 'a', '--signature', 'aGFsbG8='], '--signature and --key-id require each other'],
    [['--robot', 'a', '--key-id', 'release-2026'], '--signature and --key-id require each other'],
    [['--robot', 'a', '--timeout', '5m'], '--timeout requires --watch'],
    [['--robot', 'a', '--watch', '--timeout', '0s'], '"0s" is not a time span of at most 24 days'],
    [['--robot', 'a', '--watch', '-o', 'yaml'], '--watch prints jsonl here, not yaml'],
    [['--robot', 'a', '--active-minutes', '0'], '--active-minutes takes a whole number from 1 to 10080'],
  ];
  for (const command of [
    ['deploy', 'nav-1.8.2'],
    ['configs', 'deploy', 'nav.max_speed'],
  ])
    for (const [flags, text] of wrong) {
      const result = await home.cli([...command, ...flags]);
      expect(result, flags.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain(text);
    }
  expect(server.requests).toEqual([]);
});

test('a release goes by its id or its exact tag; what is not there is answered with what is similar', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await withRobot(world);
  const id = await pushed(home, 'nav-1.8.1');
  await pushed(home, 'nav-1.8.2');
  await pushed(home, 'arm-2');
  await pushed(home, 'maps-7', '--kind', 'file');
  await pushed(home, 'maps-7', '--kind', 'script');
  const none = await home.cli(['deploy', 'nav-9', '--robot', 'amr-007', '--json']);
  expect(none.code).toBe(5);
  expect(JSON.parse(none.stdout)).toEqual({ error: { code: 'not_found', message: 'release "nav-9" not found' } });
  expect(none.stderr).toBe(
    'Error: release "nav-9" not found\n  Did you mean nav-1.8.2 or nav-1.8.1? List releases with: cli releases list\n',
  );
  const several = await home.cli(['deploy', 'maps-7', '--robot', 'amr-007']);
  expect(several).toMatchObject({
    code: 2,
    stderr: 'Error: 2 releases are tagged "maps-7"\n  Select one with --kind: file, script\n',
  });
  const ofOtherKind = await home.cli(['deploy', 'arm-2', '--kind', 'file', '--robot', 'amr-007']);
  expect(ofOtherKind.code).toBe(5);
  expect(ofOtherKind.stderr).toContain('It has another kind: --kind container_image.');
  const unknown = randomUUID();
  expect((await home.cli(['deploy', unknown, '--robot', 'amr-007'])).stderr).toContain(
    `Error: release "${unknown}" not found\n  List releases with: cli releases list\n`,
  );
  expect((await home.cli(['deploy', 'nav-1.8.2', '--robot', 'amr-008'])).code).toBe(5);
  expect(await world.count('deployments')).toBe(0);
  for (const release of [id, 'nav-1.8.2']) {
    const made = await home.cli(['deploy', release, '--fleet', 'pickers', '--fields', 'status,target_kind']);
    expect(made).toEqual({ code: 0, stdout: 'scheduled\tfleet\n', stderr: '' });
  }
  expect((await home.cli(['deploy', 'maps-7', '--kind', 'file', '--robot', 'amr-007'])).code).toBe(0);
});

test('the same key orders once, and says that it did; another order by it is a conflict', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await withRobot(world);
  await pushed(home, 'nav-1.8.2');
  const line = ['deploy', 'nav-1.8.2', '--robot', 'amr-007', '--idempotency-key', randomUUID()];
  const first = await home.cli([...line, '--json']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const again = await home.cli([...line, '--json']);
  expect(again.stdout).toBe(first.stdout);
  expect(again.stderr).toContain('This key was used before');
  expect(await home.cli([...line, '--active-minutes', '5'])).toMatchObject({ code: 6, stdout: '' });
  expect(await world.count('deployments')).toBe(1);
});

test('a signature goes to the service with its key, for a release and for a config', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await withRobot(world);
  await pushed(home, 'nav-1.8.2');
  await home.cli(['configs', 'set', 'nav.max_speed', '1.2']);
  const signed = ['--robot', 'amr-007', '--signature', 'aGFsbG8=', '--key-id', 'release-2026'];
  for (const what of [
    ['deploy', 'nav-1.8.2'],
    ['configs', 'deploy', 'nav.max_speed'],
  ]) {
    const made = await home.cli([...what, ...signed, '--fields', 'signature,key_id']);
    expect(made).toEqual({ code: 0, stdout: 'aGFsbG8=\trelease-2026\n', stderr: '' });
  }
});

test('who does not get the answer is told the key by which the line may be repeated', async () => {
  await using server = await listen((request, response) => {
    if (request.method === 'POST') response.destroy();
    else response.end('{"items":[{"id":"0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71","tag":"a","name":"a"}]}');
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const lost = await home.cli(['deploy', 'a', '--fleet', 'a']);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(
    /Repeating the command with --idempotency-key [0-9a-f-]{36} is safe: it deploys once\.\n$/,
  );
  const set = await home.cli(['configs', 'deploy', 'a', '--fleet', 'a', '--idempotency-key', 'my-key']);
  expect(set.stderr).toContain('--idempotency-key my-key is safe');
});

test('an interrupted order tells its key too', async () => {
  let arrived = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  await using server = await listen((request, response) => {
    if (request.method === 'POST') arrived();
    else response.end('{"items":[{"id":"0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71","tag":"a","name":"a"}]}');
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['deploy', 'a', '--fleet', 'a', '--idempotency-key', 'my-key']);
  await arrival;
  running.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr:
      'The service may have received it. Repeating the command with --idempotency-key my-key is safe: it deploys once.\n',
  });
  const later = home.start(['deploy', 'a', '--fleet', 'a', '--idempotency-key', 'k', '--scheduled-at', 'in 2h']);
  await expect.poll(() => server.requests.filter((each) => each.startsWith('POST'))).toHaveLength(2);
  later.kill('SIGINT');
  expect((await later.ended).stderr).toMatch(
    /--idempotency-key k, and --scheduled-at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z, is safe: it deploys once\.\n$/,
  );
});

test('`configs set` that is interrupted or loses the answer says with which line its value is deployed once', async () => {
  const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71';
  let loses = false;
  await using server = await listen((request, response) => {
    if (request.url === '/api/configs')
      response.end(JSON.stringify({ data: { id, namespace: 'nav', key: 'k', value: 1, revision: 4 } }));
    else if (loses) response.destroy();
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const set = ['configs', 'set', 'k', '1', '--namespace', 'nav', '--robot', id];
  const line = new RegExp(`: cli configs deploy k --namespace nav --robot ${id} --idempotency-key [0-9a-f-]{36}\\n$`);
  const running = home.start(set);
  await expect.poll(() => server.requests).toContain('POST /api/configs/deployments');
  running.kill('SIGINT');
  const interrupted = await running.ended;
  expect(interrupted.code).toBe(130);
  expect(interrupted.stderr).toContain('nav/k is set, as revision 4. The service may have received its deployment.');
  expect(interrupted.stderr).toMatch(line);
  loses = true;
  const lost = await home.cli(set);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('Error: nav/k is set, as revision 4, but may not be deployed: ');
  expect(lost.stderr).toMatch(line);
});

testWith('script')(
  'a scheduled one says when it starts before it is sent, here and in UTC, and is refused in the past',
  async () => {
    await using world = await startIsolatedWorld();
    await using home = await signedInHome(world);
    await withRobot(world);
    await pushed(home, 'nav-1.8.2');
    const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 7_200_000);
    const tokyo = { columns: 100, env: { TZ: 'Asia/Tokyo' } };
    const line = ['deploy', 'nav-1.8.2', '--fleet', 'pickers', '--no-color', '--scheduled-at'];
    const { stdout } = await home.cli([...line, at.toISOString()], tokyo);
    const here = new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(stdout).toContain('Deploying nav-1.8.2 to fleet pickers');
    expect(stdout).toMatch(/ {2}key {2}[0-9a-f-]{36}\r\n/);
    expect(stdout).toContain(`Starts at ${here} +09:00 (${at.toISOString().replace('.000Z', 'Z')}), in `);
    const past = await home.cli([...line, '2026-01-01T00:00:00Z'], tokyo);
    expect(past.code).toBe(1);
    expect(past.stdout).toMatch(/Error: --scheduled-at: .* is in the past/);
    const piped = await home.cli([...line, '2026-01-01T00:00:00Z']);
    expect(piped.code).toBe(1);
    expect(piped.stderr).toMatch(/Error: body\.scheduled_at: \d+ days in the past; send a time in the future/);
    const words = await home.cli([...line, 'tomorrow 06:00', '-o', 'json'], { env: { TZ: 'Asia/Tokyo' } });
    expect(words.stderr).toMatch(/^Starts at \d{4}-\d\d-\d\d 06:00:00 \+09:00 \(\S+T21:00:00Z\), in /);
    expect(JSON.parse(words.stdout)).toMatchObject({
      data: { scheduled_at: expect.stringMatching(/T21:00:00\.000Z$/) },
    });
  },
);

testWith('script')('a robot that is moved tells what it is ordered by that, and nothing of earlier moves', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await withRobot(world);
  const make = factories(world);
  // An order begins for the robots that a fleet has: without one there would be none to take over.
  const key = await make.key();
  await make.robot('amr-008', key);
  const [packers, pickers] = [
    key.fleet_id as string,
    (await world.call('GET', '/api/robots?name=amr-007')).body.items[0].fleet_id as string,
  ];
  await home.cli(['configs', 'set', 'nav.max_speed', '1.2']);
  const id = await home.cli(['configs', 'deploy', 'nav.max_speed', '--fleet', packers, '--fields', 'id']);
  await expect
    .poll(async () => (await world.db('deployments').where({ id: id.stdout.trim() }).first())?.status)
    .not.toBe('scheduled');
  const move = async (fleet: string) =>
    (await home.cli(['robots', 'move', 'amr-007', fleet, '--no-color'], { columns: 100 })).stdout;
  expect(await move(packers)).toMatch(
    /Moved\.\r\nIt is ordered what its fleet has and it lacked:\r\n {2}[0-9a-f-]{36} {2}config default\/nav\.max_speed\r\n$/,
  );
  expect(await move(pickers)).toMatch(/Moved\.\r\n$/);
});
