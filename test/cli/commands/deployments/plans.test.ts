import { expect, test } from 'vitest';
import { signedInHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** Three robots of a fleet, a release and a policy whose first wave is one robot. */
async function withPlans(world: World, home: Home) {
  const make = factories(world);
  const key = await make.key();
  const robots = [];
  for (const name of ['amr-1', 'amr-2', 'amr-3']) robots.push((await make.robot(name, key)) as { robot_id: string });
  await make.release({ tag: 'nav-1.8.2' });
  await make.config({ key: 'nav.max_speed', value: 2 });
  await make.policy({ name: 'careful', rollout: { waves: [{ name: 'canaries', count: 1 }] } });
  const run = (...words: string[]) => home.cli(words);
  const planOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words, '--dry-run', '--json');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Dry run: nothing was deployed\. Deploy it with: cli /)]);
    return JSON.parse(stdout).data as { id: string; counts: object; waves: object[] };
  };
  return { run, planOf, robots };
}

const deploy = ['deploy', 'nav-1.8.2', '--fleet', 'pickers'];

test('deploy --dry-run prints the plan with its waves and robots, and deploys nothing', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { run } = await withPlans(world, home);
  const { code, stdout, stderr } = await run(...deploy, '--policy', 'careful', '--dry-run', '-o', 'table');
  expect(code).toBe(0);
  expect(stdout).toMatch(/ROBOTS +3, 0 online\n/);
  expect(stdout).toMatch(
    /Waves\nWAVE +NAME +ROBOTS +ONLINE +FORECAST *\n1 +canaries +1 +0 +when robots that are offline connect\n2 +2 +0/,
  );
  expect(stdout).toMatch(/Robots\nROBOT +WAVE +ONLINE *\n/);
  expect(stdout).toMatch(/amr-1 +[12] +no/);
  const id = /ID +(\S+)/.exec(stdout)?.[1] ?? '';
  expect(stderr).toBe(`Dry run: nothing was deployed. Deploy it with: cli deploy --plan ${id}\n`);
  expect(await world.count('deployments')).toBe(0);
  const shown = (await run('plans', 'show', id, '-o', 'table')).stdout;
  const timeless = (text: string) => text.replace(/\d+s ago|in \d+d/g, '');
  expect(timeless(shown)).toBe(timeless(stdout));
});

test('the line that a dry run prints has the start, the minutes, the signature and the overrides of the dry run', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { run } = await withPlans(world, home);
  const start = new Date(Date.now() + 3_600_000).toISOString();
  const overrides = ['--urgent', '--ignore-gates', '--allow-ungated'];
  const signature = ['--signature', 'aGVsbG8=', '--key-id', 'k1'];
  const flags = ['--scheduled-at', start, '--active-minutes', '5', ...signature, ...overrides];
  const { stderr } = await run(...deploy, ...flags, '--dry-run');
  expect(stderr).toMatch(
    /cli deploy --plan \S+ --scheduled-at \S+ --active-minutes 5 --signature aGVsbG8= --key-id k1 --urgent --ignore-gates --allow-ungated\n$/,
  );
  const id = /--plan (\S+)/.exec(stderr)?.[1] ?? '';
  expect(Date.parse(/--scheduled-at (\S+)/.exec(stderr)?.[1] ?? '')).toBe(Date.parse(start));
  expect(await run('deploy', '--plan', id, ...flags)).toMatchObject({ code: 0 });
  const [made] = (await world.call('GET', '/api/deployments')).body.items;
  expect(made).toMatchObject({ status: 'scheduled', active_minutes: 5, plan_id: id, urgent: true, ignore_gates: true });
});

test('deploy --dry-run prints the groups of disruption budgets that have its robots, and is refused without room', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { run } = await withPlans(world, home);
  await run('budgets', 'create', 'one by one', '--by', '@site', '--max-unavailable', '1');
  const { stdout } = await run(...deploy, '--dry-run', '-o', 'table');
  expect(stdout).toMatch(
    /Disruption budgets\nBUDGET +GROUP +ROBOTS +UNAVAILABLE +AT MOST *\none by one +Osaka +3 +3 of 3 +1 *\n/,
  );
  await run('budgets', 'update', 'one by one', '--max-unavailable', '0');
  const refused = await run(...deploy);
  expect([refused.code, refused.stderr]).toEqual([
    6,
    expect.stringContaining('no_room: budget "one by one" never lets a robot of the group Osaka be unavailable'),
  ]);
});

test('plans robots lists the robots of a wave', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { run, planOf } = await withPlans(world, home);
  const { id } = await planOf(...deploy, '--policy', 'careful');
  const lines = async (...flags: string[]) => (await run('plans', 'robots', id, ...flags)).stdout.trim().split('\n');
  expect(await lines('--fields', 'robot_name', '--wave', '2')).toHaveLength(2);
  expect((await lines('--fields', 'robot_name')).sort()).toEqual(['amr-1', 'amr-2', 'amr-3']);
  const gone = await run('plans', 'show', '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1');
  expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('deployment plan')]);
});

test('deploy --plan deploys exactly the plan, or says what changed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { run, planOf, robots } = await withPlans(world, home);
  const { id } = await planOf(...deploy, '--policy', 'careful');
  const made = await run('deploy', '--plan', id, '--json');
  expect([made.code, JSON.parse(made.stdout).data]).toMatchObject([
    0,
    { plan_id: id, rollout: { policy_name: 'careful' } },
  ]);
  const stale = await planOf(...deploy);
  await world.call('DELETE', `/api/robots/${robots[0]?.robot_id ?? ''}`);
  const refused = await run('deploy', '--plan', stale.id);
  expect([refused.code, refused.stderr]).toEqual([
    6,
    expect.stringContaining('the plan no longer holds: 1 robot left; plan again'),
  ]);
});

test('configs deploy plans and deploys a revision', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { run, planOf } = await withPlans(world, home);
  const plan = await planOf('configs', 'deploy', 'nav.max_speed', '--robot', 'amr-2');
  expect(plan).toMatchObject({ kind: 'config', revision: 1, counts: { robots: 1 } });
  const made = await run('configs', 'deploy', '--plan', plan.id, '--fields', 'revision,target_kind');
  expect([made.code, made.stdout]).toEqual([0, '1\trobot\n']);
});

test('--plan excludes what the plan has, and without it the argument is required', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const refusals: [string[], string][] = [
    [['deploy', 'nav-1.8.2', '--plan', 'x'], '--plan and <release> exclude each other'],
    [['deploy', '--plan', 'x', '--fleet', 'pickers'], '--plan and --fleet exclude each other'],
    [['deploy', '--plan', 'x', '--policy', 'careful'], '--plan and --policy exclude each other'],
    [['deploy', '--plan', 'x', '--sign', 'key.pem'], '--plan and --sign exclude each other'],
    [['deploy', '--plan', 'x', '--dry-run'], '--plan and --dry-run exclude each other'],
    [['configs', 'deploy', '--plan', 'x', '--revision', '1'], '--plan and --revision exclude each other'],
    [['deploy', '--fleet', 'pickers'], 'missing argument <release>'],
    [['configs', 'deploy', '--fleet', 'pickers'], 'missing argument <key>'],
  ];
  for (const [words, message] of refusals) {
    const { code, stderr } = await home.cli(words);
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(message)]);
  }
});
