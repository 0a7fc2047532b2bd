import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { startHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { replicaBeside, startIsolatedWorld, type World } from '../support/world.ts';

/** How often each of the two is killed. `npm run test:long` does it a hundred times. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 3);
const linesAtOnce = 150;

/** Every message of the robot's file that the service has, in its order, read page by page. */
async function storedLines(world: World, robotId: string, source: string): Promise<string[]> {
  const messages: string[] = [];
  const query = `limit=1000&source=${encodeURIComponent(source)}`;
  for (let after = 0, cursor = ''; ;) {
    const path = `/api/robots/${robotId}/logs?${query}&after=${after}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { items, next_cursor: next } = (await world.call('GET', path)).body;
    messages.push(...(items as { message: string }[]).map(({ message }) => message));
    if (next === undefined) return messages;
    ({ seq: after } = items.at(-1) ?? { seq: after });
    cursor = next;
  }
}

test(
  'whatever is killed, every line that the robot wrote is stored once and in order',
  async () => {
    await using world = await startIsolatedWorld(); // reads, and is the other replica
    const key = (await factories(world).key()) as { value: string };
    const env = replicaBeside(world);
    let server: ServerProcess = await startServer(env);
    await using home = await startHome();
    const file = join(home.path, 'nav.log');
    await writeFile(file, '');
    const args = ['--backend-url', server.url, '--enrollment-key', key.value, '--log-file', file];
    const { port } = new URL(server.url);
    let agent = startAgent(home, args);
    const written: string[] = [];
    const write = async () => {
      const lines = Array.from({ length: linesAtOnce }, (_, index) => `line ${written.length + index}`);
      written.push(...lines);
      await appendFile(file, `${lines.join('\n')}\n`);
    };
    try {
      await agent.sees('Connected to');
      const [robot] = (await world.call('GET', '/api/robots')).body.items as { id: string }[];
      for (let round = 0; round < rounds; round += 1) {
        await write();
        await sleep(Math.random() * 1_200); // somewhere between the line on the robot and its acknowledgement
        await server.end('SIGKILL');
        await write();
        server = await startServer({ ...env, PORT: port });
        await write();
        await sleep(Math.random() * 1_200);
        agent.kill('SIGKILL');
        await agent.ended;
        await write();
        agent = startAgent(home, args);
      }
      const last = written.at(-1);
      const { id = '' } = robot ?? {};
      await expect
        .poll(async () => (await storedLines(world, id, `file:${file}`)).at(-1), { timeout: 60_000, interval: 500 })
        .toBe(last);
      expect(await storedLines(world, id, `file:${file}`)).toEqual(written);
    } finally {
      await agent[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    }
  },
  60_000 + rounds * 20_000,
);
