import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startAgentFront } from '../support/agent-proxy.ts';
import { factories } from '../support/factories.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { replicaBeside, startIsolatedWorld } from '../support/world.ts';

/** How often the server is killed. `npm run test:long` does it a hundred times. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 2);
const callers = 8;
const path = '/api/deployments';

interface Heard {
  status: number;
  text: string;
  isReplay: boolean;
  retryAfter: string | null;
}

test(
  'a key that is sent until it is answered makes one deployment, and has one answer, whenever the server is killed',
  async ({ annotate }) => {
    await using world = await startIsolatedWorld(); // reads, and is the other replica
    const robot = await factories(world).robot();
    const release = await factories(world).release();
    // So far ahead that nothing else comes of it.
    const scheduledAt = new Date(Date.now() + 1e11).toISOString();
    const order = {
      release_id: release.id,
      target_kind: 'robot',
      target_id: robot.robot_id,
      scheduled_at: scheduledAt,
    };
    const env = replicaBeside(world);
    let server: ServerProcess = await startServer(env);
    const { port } = new URL(server.url);
    await using front = await startAgentFront(new URL(server.url));

    /** Undefined where nobody answers. */
    async function send(key: string): Promise<Heard | undefined> {
      const headers = {
        Authorization: `Bearer ${world.orgToken}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      };
      const request = { method: 'POST', headers, body: JSON.stringify(order) };
      try {
        const answer = await fetch(`${front.url}${path}`, request);
        const isReplay = answer.headers.get('idempotent-replayed') === 'true';
        const retryAfter = answer.headers.get('retry-after');
        return { status: answer.status, text: await answer.text(), isReplay, retryAfter };
      } catch {
        return undefined;
      }
    }

    async function sendUntilAnswered(key: string): Promise<Heard> {
      for (;;) {
        const heard = await send(key);
        if (heard?.status === 201) return heard;
        // What a server that was killed had begun is in flight until Postgres finds out.
        if (heard) expect(heard).toMatchObject({ status: 409, retryAfter: '1' });
        await sleep(20);
      }
    }

    const answers = new Map<string, Heard>();
    try {
      for (let round = 0; round < rounds; round += 1) {
        let isOver = false;
        const asked = Array.from({ length: callers }, async () => {
          const own: [string, Heard][] = [];
          while (!isOver) {
            const key = randomUUID();
            own.push([key, await sendUntilAnswered(key)]);
          }
          return own;
        });
        const all = Promise.all(asked);
        all.catch(() => undefined); // awaited below
        await sleep(Math.random() * 200);
        // In one of two rounds an answer is certainly on its way, of an order that is committed.
        const loss = round % 2 === 0 ? front.loseAnswer(path) : undefined;
        await loss?.reached;
        await server.end('SIGKILL');
        loss?.release();
        server = await startServer({ ...env, PORT: port });
        await sleep(50);
        isOver = true;
        const heard = (await all).flat();
        const again = await Promise.all(heard.map(([key]) => sendUntilAnswered(key)));
        const others = heard.filter(([, { text }], index) => again[index]?.text !== text || !again[index].isReplay);
        expect(others).toEqual([]);
        for (const [key, first] of heard) answers.set(key, first);
      }
    } finally {
      await server[Symbol.asyncDispose]();
    }
    const ids = [...answers.values()].map(({ text }) => (JSON.parse(text) as { data: { id: string } }).data.id);
    expect((await world.db('deployments').pluck('id')).toSorted()).toEqual(ids.toSorted());
    const told = world.db('audit').where({ operation: 'createDeployment' });
    expect((await told.pluck('object_id')).toSorted()).toEqual(ids.toSorted());
    const replayed = [...answers.values()].filter(({ isReplay }) => isReplay).length;
    expect(replayed).toBeGreaterThanOrEqual(Math.ceil(rounds / 2));
    await annotate(`${answers.size} orders, ${replayed} of which were answered by a replay after a kill`);
  },
  60_000 + rounds * 20_000,
);
