import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent as startInProcess } from '../../cli/agent/agent.ts';
import type { LinkStatus } from '../../cli/agent/link.ts';
import { startAgent } from '../support/agent-process.ts';
import { startHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { replicaBeside, startIsolatedWorld, type World } from '../support/world.ts';

/** A log file of a robot, written in rounds of 40 numbered lines. */
async function startFile(folder: string) {
  const path = join(folder, 'nav.log');
  await writeFile(path, '');
  const written: string[] = [];
  return {
    path,
    written,
    async write(): Promise<void> {
      const lines = Array.from({ length: 40 }, (_, index) => `line ${written.length + index}`);
      written.push(...lines);
      await appendFile(path, `${lines.join('\n')}\n`);
    },
  };
}

/** Messages of a source, of which there are few enough for one page. */
async function messages(world: World, { robot_id: id }: Identity, source: string): Promise<string[]> {
  const { items } = (await world.call('GET', `/api/robots/${id}/logs?limit=1000&source=${source}`)).body;
  return (items as { message: string }[]).map(({ message }) => message);
}

/** Longer than the file is looked at, and than a reconnect takes. */
const soon = { interval: 50 };

test('an agent that was stopped for longer than its link lives comes back, with every line once', async () => {
  await using world = await startIsolatedWorld({
    linkLimits: { pingEveryMs: 200, deadAfterMs: 800, flushEveryMs: 50 },
  });
  const robots = robotsOf(world);
  await using home = await startHome();
  const file = await startFile(home.path);
  const { value: key } = (await factories(world).key()) as { value: string };
  const args = ['--backend-url', world.url, '--enrollment-key', key, '--log-file', file.path];
  await using agent = startAgent(home, args);
  await agent.sees('Connected to');
  const [{ id }] = (await world.call('GET', '/api/robots')).body.items as [{ id: string }];
  const robot = { robot_id: id, robot_token: '' };
  const stored = () => messages(world, robot, `file:${file.path}`);
  await file.write();
  await expect.poll(async () => (await stored()).length, soon).toBeGreaterThan(0);

  await file.write(); // some of it may be on its way
  agent.kill('SIGSTOP');
  await expect.poll(async () => (await robots.robot(robot)).online, soon).toBe(false);
  await file.write();
  agent.kill('SIGCONT');
  await expect.poll(async () => (await robots.robot(robot)).online, soon).toBe(true);
  await file.write();
  await expect.poll(async () => (await stored()).at(-1), soon).toBe(file.written.at(-1));

  expect(await stored()).toEqual(file.written);
  expect(await robots.story(robot)).toEqual(['enrolled', 'connected', 'disconnected timeout', 'connected']);
  expect(await robots.robot(robot)).not.toHaveProperty('duplicate_agent_at');
  expect((await messages(world, robot, 'agent')).filter((each) => each.startsWith('connected to'))).toHaveLength(2);
});

test('a service that was stopped for longer than a link lives is found again, with every line once', async () => {
  await using world = await startIsolatedWorld(); // reads, and is the other replica
  await using server = await startServer(replicaBeside(world));
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  await using folder = await tempDir();
  const file = await startFile(folder.path);
  const statuses: LinkStatus[] = [];
  const kinds = () => statuses.map(({ kind }) => kind);
  const agent = await startInProcess(
    {
      backendUrl: server.url,
      token: robot.robot_token,
      version: 'test',
      stateDirectory: folder.path,
      configDirectory: folder.path,
      lanes: {
        config: { folder: join(folder.path, 'config'), onConfig: undefined, environment: {} },
        releases: { artifacts: folder.path, folder: join(folder.path, 'releases') },
      },
      spoolMegabytes: 1,
      logFiles: [file.path],
      commands: [],
      journalUnits: undefined,
      environment: {},
      socketOptions: {},
      silence: { pingEveryMs: 200, deadAfterMs: 800 },
    },
    { status: (status) => void statuses.push(status), told: () => undefined },
  );
  try {
    await expect.poll(kinds, soon).toContain('up');
    const stored = () => messages(world, robot, `file:${file.path}`);
    await file.write();
    await expect.poll(async () => (await stored()).length, soon).toBeGreaterThan(0);

    await file.write(); // some of it may be on its way
    server.child.kill('SIGSTOP');
    await expect.poll(() => statuses.at(-1), soon).toMatchObject({ reason: 'no data received for 1 s' });
    await file.write();
    // The kernel still takes connections for it.
    await expect.poll(() => statuses.at(-1)?.kind, soon).toBe('connecting');
    server.child.kill('SIGCONT');
    await expect.poll(() => statuses.at(-1)?.kind, soon).toBe('up');
    await file.write();
    await expect.poll(async () => (await stored()).at(-1), soon).toBe(file.written.at(-1));

    expect(await stored()).toEqual(file.written);
    expect(kinds()).toEqual(['connecting', 'up', 'waiting', 'connecting', 'up']);
    expect(await robots.story(robot)).toEqual(['enrolled', 'connected', 'disconnected lost', 'connected']);
    const now = await robots.robot(robot);
    expect(now).toMatchObject({ online: true });
    expect(now).not.toHaveProperty('duplicate_agent_at');
  } finally {
    await agent.stop();
  }
});
