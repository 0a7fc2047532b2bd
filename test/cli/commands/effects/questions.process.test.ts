import { expect } from 'vitest';
import { runsRelease } from '../../../support/applied.ts';
import { signedInHome, type Home, type Running } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld, startWorld, type World } from '../../../support/world.ts';

const inTerminal = testWith('script');
const question = 'Continue? [y/N] ';

/** A fleet `pickers` of two robots, which run nothing, and the release `nav-1`. */
async function startFleet(world: World): Promise<void> {
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  await make.robot('amr-2', key);
  await make.release({ tag: 'nav-1' });
}

async function asked(home: Home, ...words: string[]): Promise<Running> {
  const running = home.start(words, { columns: 80 });
  await running.sees(question);
  return running;
}

inTerminal('a deployment to a fleet shows its robots and asks; only yes sends it', async () => {
  await using world = await startIsolatedWorld();
  await startFleet(world);
  await using home = await signedInHome(world);
  const line = ['deploy', 'nav-1', '--fleet', 'pickers', '--no-color'];
  for (const answer of ['n\r', '\r', 'yeah\r', '\u0004']) {
    const running = await asked(home, ...line);
    running.type(answer);
    const { code, stdout } = await running.ended;
    expect([answer, code]).toEqual([answer, 1]);
    expect(stdout).toContain('Error: not confirmed; nothing was sent');
  }
  const interrupted = await asked(home, ...line);
  interrupted.type('\u0003');
  expect((await interrupted.ended).code).toBe(130);
  expect(await world.count('deployments')).toBe(0);

  const running = await asked(home, ...line);
  running.type('y\r');
  const { code, stdout } = await running.ended;
  expect(code).toBe(0);
  for (const shown of [
    'Deploy nav-1 to fleet pickers',
    '  Robots   2, and those that join later',
    '  Offline  2, to receive it when they reconnect',
    '  Running  unknown on 2',
    '  Start    now',
    'Deploying nav-1 to fleet pickers',
  ])
    expect(stdout).toContain(shown);
  expect(await world.count('deployments')).toBe(1);
});

inTerminal('--yes, one robot and a pipe are not asked', async () => {
  await using world = await startIsolatedWorld();
  await startFleet(world);
  await using home = await signedInHome(world);
  for (const line of [
    ['deploy', 'nav-1', '--fleet', 'pickers', '--yes'],
    ['deploy', 'nav-1', '--robot', 'amr-1'],
  ]) {
    const { code, stdout } = await home.cli(line, { columns: 80 });
    expect([line, code]).toEqual([line, 0]);
    expect(stdout).not.toContain(question);
  }
  const piped = await home.cli(['deploy', 'nav-1', '--fleet', 'pickers']);
  expect([piped.code, piped.stderr]).toEqual([0, '']);
  expect(await world.count('deployments')).toBe(3);
});

inTerminal('a deployment to a pinned robot says until when, and asks; that of its own release does not', async () => {
  await using world = await startIsolatedWorld();
  await startFleet(world);
  await factories(world).release({ tag: 'nav-2' });
  await using home = await signedInHome(world);
  await home.cli(['robots', 'pin', 'amr-1', '--release', 'nav-1', '--until', '3d', '--reason', 'demo']);
  const one = await asked(home, 'deploy', 'nav-2', '--robot', 'amr-1', '--no-color');
  one.type('n\r');
  expect((await one.ended).stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Pinned amr-1 is pinned at nav-1 until .*: it receives this after that/,
  );
  await home.cli(['robots', 'pin', 'amr-2', '--release', 'nav-1', '--until', '3d', '--reason', 'demo']);
  const both = await asked(home, 'deploy', 'nav-2', '--fleet', 'pickers', '--no-color');
  both.type('n\r');
  expect((await both.ended).stdout).toContain('2 at another release: they receive this when their pins end');
  const { stdout } = await home.cli(['deploy', 'nav-1', '--robot', 'amr-1'], { columns: 80 });
  expect(stdout).not.toContain(question);
  expect(await world.count('deployments')).toBe(1);
});

inTerminal('an older release than one robot runs is asked about, unless the line allows it', async () => {
  await using world = await startIsolatedWorld();
  await startFleet(world);
  const newer = await factories(world).release({ tag: 'nav-2' });
  const { items } = (await world.call('GET', '/api/robots')).body;
  await runsRelease(world, items.find(({ name }: { name: string }) => name === 'amr-1').id, newer);
  await using home = await signedInHome(world);
  const one = await asked(home, 'deploy', 'nav-1', '--robot', 'amr-1', '--no-color');
  one.type('n\r');
  expect((await one.ended).stdout).toContain('  Downgrade  1 robot runs a newer release');
  expect(await world.count('deployments')).toBe(0);
  for (const words of [
    ['nav-1', '--robot', 'amr-1', '--allow-downgrade'],
    ['nav-1', '--robot', 'amr-2'],
    ['nav-2', '--robot', 'amr-1'],
  ])
    expect((await home.cli(['deploy', ...words], { columns: 80 })).stdout).not.toContain(question);
  expect((await home.cli(['deploy', 'nav-1', '--robot', 'amr-1'])).code).toBe(0);
  expect(await world.count('deployments')).toBe(4);
});

inTerminal('what removes, revokes or deletes says what it ends, and nothing ends without a yes', async () => {
  await using world = await startIsolatedWorld();
  await startFleet(world);
  await using home = await signedInHome(world);
  await home.cli(['users', 'create', 'kim@example.com']);
  await home.cli(['configs', 'set', 'nav.max_speed', '1.2']);
  await home.cli(['fleets', 'create', 'spare', '--site', 'Osaka']);
  await home.cli(['sites', 'create', 'Kobe']);
  await home.cli(['policies', 'create', 'careful', '--wave', '10%']);
  const deployment = (await home.cli(['deploy', 'nav-1', '--fleet', 'pickers', '--fields', 'id'])).stdout.trim();
  const key = (await home.cli(['keys', 'list', '--fields', 'id'])).stdout.trim();
  const token = (await home.cli(['tokens', 'list', '--fields', 'id', '--limit', '1'])).stdout.trim();
  const lines: [words: string[], shown: string[]][] = [
    [
      ['robots', 'remove', 'amr-1'],
      ['Remove robot amr-1', 'Status  offline'],
    ],
    [['robots', 'rotate-token', 'amr-1'], ['Rotate the token of robot amr-1']],
    [
      ['keys', 'revoke', key],
      ['Revoke enrollment key', 'by 2 robots, which stay'],
    ],
    [
      ['tokens', 'revoke', token],
      ['Revoke org token', 'refused at once'],
    ],
    [
      ['users', 'remove', 'kim@example.com'],
      ['Remove user kim@example.com', 'Tokens  0'],
    ],
    [
      ['configs', 'delete', 'nav.max_speed'],
      ['Delete default/nav.max_speed', 'Revision  1'],
    ],
    [
      ['fleets', 'delete', 'spare'],
      ['Delete fleet spare', 'Robots  0'],
    ],
    [
      ['sites', 'delete', 'Kobe'],
      ['Delete site Kobe', 'Robots  0'],
    ],
    [
      ['maintenance', 'start', '--fleet', 'pickers', '--reason', 'floor work'],
      ['Start maintenance of fleet pickers', 'Robots  2, and those that join'],
    ],
    [
      ['deploy', 'nav-1', '--fleet', 'spare'],
      ['Deploy nav-1 to fleet spare', 'none: it will fail'],
    ],
    [
      ['conditions', 'delete', 'battery-low'],
      ['Delete condition rule battery-low', '0 with the condition'],
    ],
    [
      ['policies', 'delete', 'careful'],
      ['Delete rollout policy careful', 'Waves        10%', 'keep their rollout'],
    ],
    [
      ['deployments', 'cancel', deployment],
      ['Cancel deployment', '2 of 2 robots, which do not receive it'],
    ],
    [['admin', 'orgs', 'suspend', world.orgId], [`Suspend org ${world.orgId}`]],
  ];
  for (const [words, shown] of lines) {
    const running = await asked(home, ...words, '--no-color');
    for (const text of shown) expect(running.text(), words.join(' ')).toContain(text);
    running.type('n\r');
    expect([words, (await running.ended).code]).toEqual([words, 1]);
  }
  expect(await world.count('robots')).toBe(2);
  expect(
    (await world.db('audit').select('operation')).map(({ operation }: { operation: string }) => operation),
  ).not.toContain('deleteRobot');
});

inTerminal('what the service will refuse is refused without a question', async () => {
  await using world = await startIsolatedWorld();
  await startFleet(world);
  await using home = await signedInHome(world);
  const lines: [words: string[], text: string][] = [
    [['fleets', 'delete', 'pickers'], 'fleet "pickers" has 2 robots'],
    [['sites', 'delete', 'Osaka'], 'site "Osaka" has 1 fleet'],
    [['deploy', 'nav-1', '--fleet', 'pickers', '--scheduled-at', '2025-01-01T00:00:00Z'], 'is in the past'],
    [['deploy', 'nav-1', '--fleet', 'pickers', '--scheduled-at', '2062-01-01T00:00:00Z'], 'more than 5 years ahead'],
    [['deploy', 'nav-1', '--fleet', 'pickers', '--scheduled-at', '2025-01-01T00:00:00Z', '--dry-run'], 'in the past'],
    [['robots', 'list', '--condition', 'emergency-stp'], 'Did you mean emergency-stop?'],
  ];
  for (const [words, text] of lines) {
    const { code, stdout } = await home.cli([...words, '--no-color'], { columns: 120 });
    expect([words, code > 0, stdout]).toEqual([words, true, expect.stringContaining(text)]);
    expect(stdout).not.toContain(question);
  }
  expect(await world.count('deployments')).toBe(0);
});

inTerminal('a robot in maintenance is said to be, and that a maintenance had ended before', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  const { id } = await make.maintenance(key.fleet_id);
  const health = await home.cli(['health'], { columns: 200 });
  expect(health.stdout).toContain('1 robot: 1 unknown, 1 of all in maintenance');
  const end = async () => (await home.cli(['maintenance', 'end', id], { columns: 200 })).stdout;
  expect(await end()).toContain('Ended.');
  expect(await end()).toContain('It had ended before.');
});
