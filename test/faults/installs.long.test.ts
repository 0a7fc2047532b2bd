import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startAgent, stateOf } from '../support/agent-process.ts';
import { startHome, type Home } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { operatorOf } from '../support/operator.ts';
import { sha256 } from '../support/orders.ts';
import { until, within } from '../support/until.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';
import { installedKinds, knownOrders, reaches, type InstalledKind } from './install-moments.ts';

/** How often each step of each kind is cut. `npm run test:long` does a hundred rounds. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** Without a number of rounds it is a part of `npm run test:full`, which has no time for all of the steps. */
const isShort = process.env['FAULT_ROUNDS'] === undefined;
const inShort = ['activate', 'rollback'];
const patienceMs = 30_000;

interface Robot {
  home: Home;
  id: string;
  operator: ReturnType<typeof operatorOf>;
  /** Puts the artifact on the service and deploys it. */
  deploy(kind: string, artifact: Buffer, tag: string): Promise<void>;
  ended(): Promise<{ status: string }>;
}

async function robotIn(world: World, home: Home): Promise<Robot> {
  const { items } = (await world.call('GET', '/api/robots')).body;
  const name = home.path.split('-').at(-1) ?? '';
  const { id } = items.find((robot: { name: string }) => robot.name === name);
  const operator = operatorOf(world);
  return {
    home,
    id,
    operator,
    async deploy(kind, artifact, tag) {
      const record = { tag, kind, artifact_sha256: sha256(artifact), artifact_size: artifact.length };
      await factories(world).release(record);
      const headers = { 'Content-Type': 'application/octet-stream' };
      await world.call('PUT', `/api/artifacts/${sha256(artifact)}`, { body: artifact, headers });
      await operator.deployRelease(id, record);
    },
    async ended() {
      await until(async () => (await operator.deployment()).ended_at !== undefined);
      return operator.deployment();
    },
  };
}

/** An agent that runs on its robot, enrolled by the name at the end of the path of its home. */
const begin = (world: World, home: Home, key: string, env: Record<string, string> = {}) =>
  startAgent(home, ['--name', home.path.split('-').at(-1) ?? '', '--backend-url', world.url], {
    SERVICE_ENROLLMENT_KEY: key,
    ...env,
  });

/** Each step of the kind is cut by kill -9; gives how often it was. */
async function cutAll(world: World, kind: InstalledKind, key: string): Promise<number> {
  await using home = await startHome();
  await kind.prepare?.(home);
  let agent = begin(world, home, key);
  let cuts = 0;
  try {
    await agent.sees('Connected');
    const robot = await robotIn(world, home);
    let runs = 'v0';
    await robot.deploy(kind.kind, kind.artifact(home, runs, true), runs);
    expect(await robot.ended()).toMatchObject({ status: 'applied' });
    for (let round = 1; round <= rounds; round += 1)
      for (const step of kind.steps.filter((each) => !isShort || inShort.includes(each))) {
        const told = `${kind.kind} cut in ${step}, round ${round}`;
        const story = async () => `${told}: ${JSON.stringify(await robot.operator.deployment())}\n${agent.text()}`;
        const isGood = step !== 'rollback';
        const tag = `${kind.kind}-${step}-${round}`;
        const known = await knownOrders(home);
        const reached = reaches(home, step, known);
        await robot.deploy(kind.kind, kind.artifact(home, tag, isGood), tag);
        await within(reached, patienceMs, story);
        agent.kill('SIGKILL');
        await agent.ended;
        cuts += 1;
        agent = begin(world, home, key);
        const end = await within(robot.ended(), patienceMs, story);
        const cut = kind.endAfter?.(step);
        if (end.status !== cut?.status) expect(end.status, told).toBe(isGood ? 'applied' : 'rolled_back');
        if (end.status === 'applied') runs = tag;
        // A program that was cut may have come to its end before.
        if (cut === undefined) expect(await kind.runs(home), told).toBe(runs);
      }
  } finally {
    await agent[Symbol.asyncDispose]();
  }
  return cuts;
}

test(
  'kill -9 in whatever step of whatever kind: the order comes to its one end, and what runs is the new release or the one before',
  async ({ annotate }) => {
    await using world = await startIsolatedWorld();
    const { value: key } = await factories(world).key();
    const cuts = await Promise.all(installedKinds.map((kind) => cutAll(world, kind, key)));
    await annotate(`the agent was killed ${cuts.reduce((sum, some) => sum + some, 0)} times`);
  },
  60_000 + rounds * 120_000,
);

test('a release that makes the machine boot again is proven after the boot, and one that is not well then is taken back by another', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const { value: key } = await factories(world).key();
  const kind = installedKinds.find((each) => each.kind === 'map');
  await kind?.prepare?.(home);
  const handler = join(home.config, 'handlers', 'map');
  const boots = join(home.path, 'boots');
  const text = (await readFile(handler, 'utf8'))
    .replace(`'{"rollback": true}'`, `'{"rollback": true, "reboot": true}'`)
    .replace('mv next current; sleep 0.1;;\n  verify)', 'mv next current; exit 200;;\n  verify)')
    .replace(
      'mv next current; sleep 0.1;;\nesac',
      `mv next current; exit 200;;\n  reboot) echo >> ${boots}; kill -9 $PPID;;\nesac`,
    );
  await writeFile(handler, text);
  const bootEnv = (boot: number) => ({
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('./boot-id.cjs', import.meta.url))}`,
    TEST_BOOT_ID: `boot-${boot}`,
  });
  /** Runs agents, each in a boot of its own, until one stays. */
  let boot = 0;
  let agent = begin(world, home, key, bootEnv(boot));
  const nextBoot = async () => {
    expect((await agent.ended).code).toBe(137);
    agent = begin(world, home, key, bootEnv((boot += 1)));
  };
  try {
    await agent.sees('Connected');
    const robot = await robotIn(world, home);
    await robot.deploy('map', Buffer.from('one'), 'one');
    await nextBoot();
    expect(await robot.ended()).toMatchObject({ status: 'applied' });
    await robot.deploy('map', Buffer.from('two sick'), 'two');
    await nextBoot();
    await nextBoot();
    expect(await robot.ended()).toMatchObject({ status: 'rolled_back' });
    expect(await kind?.runs(home)).toBe('one');
    expect((await stat(boots)).size).toBe(3);
    expect((await stat(join(stateOf(home), 'releases', 'handlers', 'map', 'cleaned'))).size).toBe(2);
  } finally {
    await agent[Symbol.asyncDispose]();
  }
});
