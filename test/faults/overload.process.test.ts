import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { orgService } from '../../src/orgs/service.ts';
import { checkReply } from '../support/contract-check.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startServer } from '../support/server-process.ts';
import { replicaBeside, startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';

/** Two of them are for reads, of which one org gets one. */
const connections = 4;
/** Less than a request would wait for the lock, or in the queue. */
const atOnceMs = 1_000;

/** Holds a lock that every request for sites waits for, until it is disposed of. */
async function lockSites({ db }: IsolatedWorld) {
  const trx = await db.transaction();
  await trx.raw('lock table sites in access exclusive mode');
  return {
    async [Symbol.asyncDispose]() {
      await trx.rollback();
    },
  };
}

/** Requests to this server, each checked against the contract. */
const callsOf = (url: string) => async (path: string, token: string) => {
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (/^\/(api|agent)\//.test(path)) checkReply('GET', `${url}${path}`, response.status, response.headers, text);
  return { status: response.status, headers: response.headers, text, ms: performance.now() - startedAt };
};

const isOverloaded = ({ text }: { text: string }) => text.includes('overloaded');

test('while reads of an org fill the service, more of them are refused at once; robots, another org and probes are served', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  const { id } = await orgService(world.db).create('other');
  const { token: otherToken } = await orgService(world.db).approve(id);
  await using server = await startServer({ ...replicaBeside(world), DATABASE_POOL: String(connections) });
  const get = callsOf(server.url);
  using agent = await linkedAgent(server.url, robot.robot_token);
  const seenAt = async () =>
    (
      await world
        .db<{ robot_id: string; last_seen_at: Date }>('robot_links')
        .where({ robot_id: robot.robot_id })
        .first()
    )?.last_seen_at;

  await using lock = await lockSites(world);
  const flood = new AbortController();
  const flooding = (async () => {
    const calls: ReturnType<typeof get>[] = [];
    while (!flood.signal.aborted) {
      calls.push(get('/api/sites', world.orgToken));
      await sleep(20);
    }
    return Promise.all(calls);
  })();
  try {
    let refusal: Awaited<ReturnType<typeof get>> | undefined;
    await expect
      .poll(async () => {
        const call = await get('/api/sites', world.orgToken);
        if (isOverloaded(call) && call.ms < atOnceMs) refusal = call;
        return refusal?.status;
      })
      .toBe(429);
    expect(JSON.parse(refusal?.text ?? '')).toEqual({
      error: { code: 'http_error', message: 'the service is overloaded, try again' },
    });
    expect(refusal?.headers.get('retry-after')).toMatch(/^[1-5]$/);
    expect(refusal?.headers.get('x-request-id')).not.toBeNull();

    const before = (await seenAt())?.getTime() ?? 0;
    agent.send({ type: 'heartbeat' });
    await expect.poll(async () => (await seenAt())?.getTime()).toBeGreaterThan(before);
    expect((await get(`/agent/payloads/${'0'.repeat(64)}`, robot.robot_token)).status).toBe(404);
    expect((await get('/api/org', otherToken)).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await get(path, '')).status).toBe(200);
    expect((await get('/metrics', '')).text).toMatch(/^fleet_http_overload_refusals_total\{priority="reads"\} [1-9]/m);
  } finally {
    flood.abort();
  }
  await lock[Symbol.asyncDispose]();
  // The request that has the slot waits for the lock for two seconds at most; then it gets 503.
  for (const call of await flooding) expect([200, isOverloaded(call) ? 429 : 503]).toContain(call.status);
  await expect.poll(async () => (await get('/api/sites', world.orgToken)).status).toBe(200);

  const linesOf = () => server.stdout().split('\n');
  const summaries = () => linesOf().filter((line) => line.includes('overloaded: requests are refused'));
  await expect.poll(() => summaries().length).toBeGreaterThan(0);
  const times = summaries().map((line) => Date.parse((JSON.parse(line) as { time: string }).time));
  for (const [index, time] of times.slice(1).entries()) expect(time - (times[index] ?? 0)).toBeGreaterThan(9_900);
  expect(linesOf().filter((line) => line.includes('request failed') && isOverloaded({ text: line }))).toEqual([]);
});
