import { expect, test } from 'vitest';
import { signedInHome, type Home } from '../../support/cli.ts';
import { linkedAgent } from '../../support/fake-agent.ts';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

/** What a line that works prints on stdout. */
async function line(home: Home, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.cli(words);
  expect([words, code, stderr]).toEqual([words, 0, '']);
  return stdout.trimEnd();
}

test('a rule is created with its duration, changed by its name and deleted', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const fields = ['--fields', 'name,expression,for,clear,severity,enabled'];
  const made = ['conditions', 'create', 'hot', 'temperature > 70 for 5m', '--clear', 'temperature < 65'];
  expect(await line(home, ...made, '--label', 'tier=canary', ...fields)).toBe(
    'hot\ttemperature > 70\t5m\ttemperature < 65\tdegraded\ttrue',
  );
  const changed = ['conditions', 'update', 'HOT', '--severity', 'unhealthy', '--expression', 'temperature > 75'];
  expect(await line(home, ...changed, ...fields)).toBe('hot\ttemperature > 75\t5m\ttemperature < 65\tunhealthy\ttrue');
  for (const clear of [['--clear', ''], ['--clear=']]) {
    await line(home, 'conditions', 'update', 'hot', '--clear', 'temperature < 60');
    expect(await line(home, 'conditions', 'update', 'hot', ...clear, '--fields', 'expression,clear')).toBe(
      'temperature > 75',
    );
  }
  expect(await line(home, 'conditions', 'update', 'hot', '--disable', '--fields', 'enabled')).toBe('false');
  const id = await line(home, 'conditions', 'show', 'hot', '--fields', 'id');
  expect(await line(home, 'conditions', 'show', id.slice(-8), '--fields', 'name')).toBe('hot');
  expect(await line(home, 'conditions', 'delete', 'hot', '--fields', 'name')).toBe('hot');
  const gone = await home.cli(['conditions', 'delete', 'hot']);
  expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('"hot" not found')]);
});

test('--dry-run of a new rule tells for which robots it would be true, and creates nothing', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const { robot_token: token } = await make.robot('amr-1', await make.key());
  using agent = await linkedAgent(world.url, token);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 70 } } });
  const create = (expression: string) => home.cli(['conditions', 'create', 'busy', expression, '--dry-run']);
  await expect.poll(async () => (await create('cpu > 60 for 5m')).stderr).toContain('for 1 of 1 robots: amr-1');
  expect((await create('cpu > 80')).stderr).toContain('for 0 of 1 robots');
  expect(await create('cpus > 80')).toMatchObject({ code: 1, stderr: expect.stringContaining('cpus') });
  expect((await home.cli(['conditions', 'show', 'busy'])).code).toBe(5);
});

test('a rule that contradicts itself, and a change of nothing, are refused with what is wrong', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const refused: [words: string[], code: number, text: string][] = [
    [['create', 'low', 'battery < 20', '--clear', 'battery < 30'], 1, 'leave a gap between them'],
    [['create', 'low', 'battery <'], 1, 'expression'],
    [['update', 'battery-low'], 2, 'nothing to change'],
    [['update', 'battery-low', '--clear'], 2, '--clear needs a value'],
    [['update', 'battery-low', '--clear', '--disable'], 2, '--clear needs a value'],
    [['update', 'battery-low', '--expression', ''], 2, '--expression needs a value'],
    [['update', 'battery-low', '--enable', '--disable'], 2, '--enable and --disable exclude each other'],
    [['update', 'battery-low', '--all-robots', '--fleet', 'x'], 2, '--all-robots and --fleet exclude each other'],
  ];
  for (const [words, code, text] of refused) {
    const answer = await home.cli(['conditions', ...words]);
    expect([words, answer.code, answer.stderr]).toEqual([words, code, expect.stringContaining(text)]);
  }
});

test('maintenance of a fleet begins with its reason, is listed, and ends', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-1', await make.key());
  const start = ['maintenance', 'start', '--fleet', 'pickers', '--hours', '1.5', '--reason', 'floor work'];
  const id = await line(home, ...start, '--fields', 'id');
  const list = ['maintenance', 'list', '--fields', 'id,target_kind,reason'];
  expect(await line(home, ...list)).toBe(`${id}\tfleet\tfloor work`);
  expect(await line(home, 'maintenance', 'end', id, '--fields', 'id')).toBe(id);
  expect(await line(home, ...list)).toBe('');
  const wrong = await home.cli(['maintenance', 'start', '--reason', 'none']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('name one of --robot, --fleet and --site')]);
});
