import { expect, test } from 'vitest';
import { listen, signedInHome, startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

async function line(home: Home, ...args: string[]): Promise<string> {
  const result = await home.cli(args);
  expect(result, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return result.stdout.trimEnd();
}

const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91';

test('a value that is JSON goes out digit by digit, anything else as a text', async () => {
  const bodies: string[] = [];
  await using server = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(text);
      response.end(JSON.stringify({ data: { id, namespace: 'default', key: 'k', value: 1, revision: 1 } }));
    });
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const values: [typed: string, sent: string][] = [
    ['1.20', '1.20'],
    ['-5', '-5'],
    ['1e400', '1e400'],
    ['0x10', '"0x10"'],
    ['12345678901234567890', '12345678901234567890'],
    ['{"__proto__":1,"a":[null]}', '{"__proto__":1,"a":[null]}'],
    ['null', 'null'],
    ['"quoted"', '"quoted"'],
    ['Hall "3"', '"Hall \\"3\\""'],
    ['', '""'],
    ['true ', 'true '],
    ['{broken', '"{broken"'],
  ];
  for (const [typed] of values) expect((await home.cli(['configs', 'set', 'k', typed])).code, typed).toBe(0);
  expect(bodies).toEqual(values.map(([, sent]) => `{"key":"k","namespace":"default","value":${sent}}`));
  expect((await home.cli(['configs', 'set', 'k', '--base-url', server.url, '--', '--dashed'])).code).toBe(0);
  expect(bodies.at(-1)).toContain('"--dashed"');
});

test('a text that begins like JSON is set, with a note that says why it is none', async () => {
  await using server = await listen((request, response) => {
    request.resume();
    response.end(JSON.stringify({ data: { id, namespace: 'default', key: 'k', value: 1, revision: 1 } }));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  for (const typed of ['{"a":1', '[1,', '"half', ' {a:\u001b[31m\n1}']) {
    const { code, stderr } = await home.cli(['configs', 'set', 'k', typed]);
    expect(code, typed).toBe(0);
    expect(stderr, typed).toMatch(/^Note: the value is not JSON \([^\n\u001b]+\); it is set as a string\n$/);
  }
  for (const typed of ['Hall "3"', '1.2.3', '{"a":1}', '"quoted"'])
    expect(await home.cli(['configs', 'set', 'k', typed]), typed).toMatchObject({ code: 0, stderr: '' });
});

test('set, deploy, list and follow go by key', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-007', await make.key());
  await line(home, 'configs', 'set', 'nav.max_speed', '1.2');
  await line(home, 'configs', 'set', 'nav.max_speed', '"1.2"', '--namespace', 'nav');
  const set = await home.cli(['configs', 'set', 'nav.max_speed', '1.5', '--fleet', 'pickers', '--json']);
  expect(set).toMatchObject({ code: 0, stderr: '' });
  const [config, deployment] = set.stdout
    .trimEnd()
    .split('\n')
    .map((body) => (JSON.parse(body) as { data: Record<string, unknown> }).data);
  expect(config).toMatchObject({ namespace: 'default', key: 'nav.max_speed', value: 1.5, revision: 2 });
  expect(deployment).toMatchObject({ config_id: config?.['id'], revision: 2, target_kind: 'fleet' });
  const short = await home.cli(['configs', 'set', 'nav.dock', 'Hall 3', '--robot', 'amr-007', '--fields', 'value']);
  expect(short).toMatchObject({ code: 0, stdout: 'Hall 3\n' });
  const second = /^Deployment (\S+)\n$/.exec(short.stderr)?.[1] ?? '';
  const list = await line(home, 'configs', 'list', '--fields', 'namespace,key,value,revision', '-o', 'jsonl');
  expect(list.split('\n').map((text) => JSON.parse(text) as unknown)).toEqual([
    { namespace: 'default', key: 'nav.max_speed', value: 1.5, revision: 2 },
    { namespace: 'nav', key: 'nav.max_speed', value: '1.2', revision: 1 },
    { namespace: 'default', key: 'nav.dock', value: 'Hall 3', revision: 1 },
  ]);
  expect(await line(home, 'configs', 'show', 'nav.max_speed', '--fields', 'revision,value')).toBe('1\t1.2\n2\t1.5');
  const third = await line(home, 'configs', 'deploy', 'nav.max_speed', '--robot', 'amr-007', '--fields', 'id');
  expect(await line(home, 'configs', 'deployments', '-o', 'name')).toBe([deployment?.['id'], second, third].join('\n'));
  expect(await line(home, 'configs', 'deployments', '--key', 'nav.dock', '--robot', 'amr-007', '-o', 'name')).toBe(
    second,
  );
  expect(await line(home, 'configs', 'events', third, '--fields', 'seq')).toMatch(/^1(\n2)?$/);
  const shown = await line(home, 'configs', 'deployment', third, '--json');
  expect(JSON.parse(shown)).toMatchObject({ data: { id: third, key: 'nav.max_speed', revision: 2 } });
  const missing = await home.cli(['configs', 'deploy', 'nav.max_sped', '--fleet', 'pickers']);
  expect(missing).toMatchObject({ code: 5, stdout: '' });
  expect(missing.stderr).toContain(
    'config "nav.max_sped" not found in namespace default\n  Did you mean nav.max_speed? List configs with: cli configs list',
  );
  const elsewhere = await home.cli(['configs', 'show', 'nav.dock', '--namespace', 'nav']);
  expect(elsewhere.stderr).toContain('It is in another namespace: --namespace default.');
});

test('a deployment of a config is cancelled by id, and its targets and its watch say so', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const robot = await make.robot('amr-007');
  await line(home, 'configs', 'set', 'nav.max_speed', '1.2');
  const deployment = await line(home, 'configs', 'deploy', 'nav.max_speed', '--robot', 'amr-007', '--fields', 'id');
  const targets = () => line(home, 'configs', 'targets', deployment, '--fields', 'robot_id,status');
  await expect.poll(targets).toBe(`${robot.robot_id}\twaiting`);
  expect(await line(home, 'configs', 'pause', deployment, '--fields', 'status')).toBe('paused');
  expect(await line(home, 'configs', 'resume', deployment, '--fields', 'status')).toBe('pending');
  expect((await home.cli(['configs', 'advance', deployment])).stderr).toContain('the deployment has no rollout');
  expect(await line(home, 'configs', 'cancel', deployment, '--fields', 'status')).toMatch(/^cancell/);
  await expect.poll(targets).toBe(`${robot.robot_id}\tcancelled`);
  const watched = await home.cli(['configs', 'watch', deployment]);
  expect(watched.code).toBe(7);
  expect(watched.stdout).toContain('cancelled');
});

test('JSON that could not be kept as it was typed is refused, and nothing is set', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  for (const [typed, why] of [
    ['1e400', 'the number 1e400 is beyond 2^53'],
    [
      '{"a":0.1234567890123456789}',
      'the number 0.1234567890123456789 has more digits than can be stored; send it as a string',
    ],
    ['{"a":1,"a":2}', 'the name "a" occurs twice'],
  ] as const) {
    const result = await home.cli(['configs', 'set', 'k', typed]);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain(`Error: body: ${why}\n`);
  }
  expect(await world.count('configs')).toBe(0);
});

test('a target that is not there changes nothing', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  expect((await home.cli(['configs', 'set', 'k', '1', '--fleet', 'pickers'])).code).toBe(5);
  expect((await home.cli(['configs', 'set', 'k', '1', '--fleet', 'a', '--robot', 'b'])).code).toBe(2);
  expect((await home.cli(['configs', 'set', 'k', '1', '--watch'])).code).toBe(2);
  expect(await world.count('configs')).toBe(0);
});

test('a value is set and deployed in the waves of a policy, and without a fleet or policy nothing changes', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2']) await make.robot(name, key);
  const set = ['configs', 'set', 'nav.max_speed', '1.2', '--policy', 'careful'];
  for (const [flags, code, why] of [
    [['--fleet', 'pickers'], 5, 'rollout policy "careful" not found'],
    [['--robot', 'amr-1'], 2, '--policy requires --fleet'],
    [[], 2, '--policy requires --fleet'],
  ] as const)
    expect(await home.cli([...set, ...flags])).toMatchObject({ code, stderr: expect.stringContaining(why) });
  expect(await world.count('configs')).toBe(0);
  const policy = await make.policy({ name: 'careful', rollout: { waves: [{ count: 1 }] } });
  const dry = await home.cli([...set, '--fleet', 'pickers', '--dry-run']);
  expect(dry.stderr).toMatch(/Rollout +careful\n +Waves +1; then any others\n/);
  const { code, stderr } = await home.cli([...set, '--fleet', 'pickers']);
  const id = /^Deployment (\S+)\n$/.exec(stderr)?.[1] ?? '';
  expect([code, await line(home, 'configs', 'deployment', id, '--jq', '.data.rollout.policy_id')]).toEqual([
    0,
    policy.id,
  ]);
});

test('when only the deploying fails it is said that the value is set, and how to deploy it', async () => {
  await using server = await listen((request, response) => {
    const isSecond = request.url === '/api/configs/deployments';
    if (isSecond) response.statusCode = 403;
    const config = { data: { id, namespace: 'nav', key: 'k', value: 1, revision: 4 } };
    response.end(JSON.stringify(isSecond ? { error: { code: 'forbidden', message: 'needs operator' } } : config));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const set = ['configs', 'set', 'k', '1', '--namespace', 'nav'];
  const result = await home.cli([...set, '--robot', id, '--json']);
  expect(result.code).toBe(1);
  expect(result.stdout.split('\n').map((text) => text.slice(0, 8))).toEqual(['{"data":', '{"error"', '']);
  expect(result.stderr).toContain('Error: nav/k is set, as revision 4, but not deployed: needs operator\n');
  expect(result.stderr).toMatch(
    /Deploy it with: cli configs deploy k --namespace nav --robot 0198\S+ --idempotency-key [0-9a-f-]{36}\n$/,
  );
  const inWaves = await home.cli([...set, '--fleet', id, '--policy', id]);
  expect(inWaves.stderr).toContain(`--fleet ${id} --policy ${id} --idempotency-key `);
  const selected = await home.cli(['configs', 'set', 'k', '1', '--selector', "hall in (it's,2)"]);
  expect(selected.stderr).toContain(
    `Deploy it with: cli configs deploy k --namespace nav --selector 'hall in (it'\\''s,2)' --idempotency-key `,
  );
});

test('a value that was deployed is not said to be undeployed when its watch is refused', async () => {
  await using server = await listen((request, response) => {
    const isRead = request.method === 'GET';
    if (isRead) response.statusCode = 403;
    const config = { id, namespace: 'nav', key: 'k', value: 1, revision: 4 };
    const deployment = { id, config_id: id, status: 'scheduled', target_kind: 'robot', target_id: id, revision: 4 };
    const data = request.url === '/api/configs' ? config : deployment;
    response.end(JSON.stringify(isRead ? { error: { code: 'forbidden', message: 'needs viewer' } } : { data }));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stderr } = await home.cli(['configs', 'set', 'k', '1', '--robot', id, '--watch']);
  expect(code).toBe(1);
  expect(stderr).toContain('\nError: needs viewer\n');
  expect(stderr).not.toContain('not deployed');
});

test('an older revision is deployed by its number', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-007', await make.key());
  for (const value of ['1', '2', '3']) await line(home, 'configs', 'set', 'nav.max_speed', value);
  const deploy = (...more: string[]) =>
    home.cli(['configs', 'deploy', 'nav.max_speed', '--fleet', 'pickers', '--fields', 'revision', ...more]);
  expect((await deploy('--revision', '2')).stdout).toBe('2\n');
  expect((await deploy()).stdout).toBe('3\n');
  const unknown = await deploy('--revision', '4');
  expect(unknown.code).toBe(5);
  expect(unknown.stderr).toContain('default/nav.max_speed has no revision 4; its newest is 3');
});

test('a key is deleted, listed as deleted with its values, and restored by setting it', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-007', await make.key());
  await line(home, 'configs', 'set', 'nav.max_speed', '1.2');
  const scheduled = ['--scheduled-at', new Date(Date.now() + 3_600_000).toISOString(), '--fields', 'id'];
  const deployment = await line(home, 'configs', 'deploy', 'nav.max_speed', '--fleet', 'pickers', ...scheduled);
  const refused = await home.cli(['configs', 'delete', 'nav.max_speed']);
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain(`1 deployment of default/nav.max_speed is active: ${deployment}`);
  expect(refused.stderr).toContain('Or cancel all and delete: add --cancel-deployments');

  const deleted = ['configs', 'delete', 'nav.max_speed', '--cancel-deployments', '--fields', 'key,revision'];
  expect(await line(home, ...deleted)).toBe('nav.max_speed\t1');
  expect(await line(home, 'configs', 'list', '-o', 'name')).toBe('');
  expect(await line(home, 'configs', 'list', '--deleted', '--fields', 'key')).toBe('nav.max_speed');
  expect(await line(home, 'configs', 'show', 'nav.max_speed', '--fields', 'revision,value')).toBe('1\t1.2');
  expect((await home.cli(['configs', 'delete', 'nav.max_speed'])).code).toBe(5);
  const deploy = await home.cli(['configs', 'deploy', 'nav.max_speed', '--fleet', 'pickers']);
  expect(deploy.stderr).toContain('default/nav.max_speed was deleted; set it again to deploy it');
  expect(await line(home, 'configs', 'set', 'nav.max_speed', '2', '--fields', 'revision')).toBe('2');
  expect(await line(home, 'configs', 'list', '-o', 'name')).toBe('nav.max_speed');
});
