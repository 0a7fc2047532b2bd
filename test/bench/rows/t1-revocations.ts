import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { apiOf } from '../harness/api.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startHintWays } from '../harness/hint-ways.ts';
import { benchAdminToken } from '../harness/ours.ts';
import { startReplicas, type Replicas } from '../harness/replicas.ts';
import { limitLine, type Line, type Row } from '../harness/row.ts';

const tries = 20;
const goalSeconds = { nats: 2, others: 5 };
const withinMs = 30_000;
const pollMs = 5;
/** A replica notices within this time that NATS is gone. */
const noticedMs = 3_000;

type Calls = ReturnType<typeof apiOf>;

interface Scene {
  /** The other replicas; what is revoked is revoked through the first. */
  others: readonly string[];
  admin: Calls;
  org: Calls;
  orgId: string;
  robotToken: string;
}

/** When a condition holds at the last of the others, in ms from now. */
async function lastOf(others: readonly string[], holds: (url: string) => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  const one = async (url: string) => {
    while (!(await holds(url))) {
      if (performance.now() - startedAt > withinMs) throw new Error(`${url} still accepts what was revoked`);
      await sleep(pollMs);
    }
  };
  await Promise.all(others.map(one));
  return performance.now() - startedAt;
}

const statusOf = async (url: string, token: string, body?: object): Promise<number> => {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
  const response = await fetch(`${url}/api/sites`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
};

async function newUser({ org }: Scene, name: string) {
  const { data: user } = await org.call('POST', '/api/users', { email: `${name}@example.com`, role: 'operator' });
  const { data: token } = await org.call('POST', `/api/users/${String(user['id'])}/tokens`, {});
  return { id: String(user['id']), tokenId: String(token['id']), value: String(token['value']) };
}

async function token(scene: Scene, name: string): Promise<number> {
  const user = await newUser(scene, name);
  await lastOf(scene.others, async (url) => (await statusOf(url, user.value)) === 200); // and it is cached there
  await scene.org.call('POST', `/api/tokens/${user.tokenId}/revoke`);
  return lastOf(scene.others, async (url) => (await statusOf(url, user.value)) === 401);
}

/** A site without a name is refused for the name, or before that for the role. */
async function role(scene: Scene, name: string): Promise<number> {
  const user = await newUser(scene, name);
  await lastOf(scene.others, async (url) => (await statusOf(url, user.value, {})) === 400);
  await scene.org.call('PATCH', `/api/users/${user.id}`, { role: 'viewer' });
  return lastOf(scene.others, async (url) => (await statusOf(url, user.value, {})) === 403);
}

/** Resolves when the link is accepted. */
async function link(url: string, robotToken: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/agent/ws`, {
    headers: { Authorization: `Bearer ${robotToken}` },
  });
  const hello = { type: 'hello', protocol: 1, agent_version: 'bench/1', boot_id: 'bench', capabilities: {} };
  socket.once('open', () => socket.send(JSON.stringify(hello)));
  await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
  return socket;
}

/** Until a user's token is refused, and until the link of a robot to another replica is closed. */
async function suspension(scene: Scene, name: string): Promise<{ calls: number; links: number }> {
  const { others, admin, orgId } = scene;
  const user = await newUser(scene, name);
  const accepts = async (url: string) => (await statusOf(url, user.value)) === 200;
  const socket = await link(others[0] ?? '', scene.robotToken);
  await lastOf(others, accepts);
  const closedAt = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())));
  await admin.call('POST', `/api/admin/orgs/${orgId}/suspend`);
  const startedAt = performance.now();
  const calls = await lastOf(others, async (url) => !(await accepts(url)));
  // It may be closed before the response is there.
  const links = Math.max(0, (await Promise.race([closedAt, sleep(withinMs, Infinity)])) - startedAt);
  await admin.call('POST', `/api/admin/orgs/${orgId}/resume`);
  await lastOf(others, accepts);
  return { calls, links };
}

/** The longest of several tries, in seconds. */
async function longest(scene: Scene, count: number) {
  const most = { token: 0, role: 0, calls: 0, links: 0 };
  const note = (kind: keyof typeof most, ms: number) => (most[kind] = Math.max(most[kind], ms / 1_000));
  for (let each = 0; each < count; each += 1) {
    const name = `${performance.now()}`;
    note('token', await token(scene, `token-${name}`));
    note('role', await role(scene, `role-${name}`));
    const { calls, links } = await suspension(scene, `org-${name}`);
    note('calls', calls);
    note('links', links);
  }
  return most;
}

async function linesOf(scene: Scene, count: number, way: string, goal: number): Promise<Line[]> {
  const most = await longest(scene, count);
  return [
    limitLine(`s, revoked token refused, ${way}`, most.token, goal),
    limitLine(`s, lower role in force, ${way}`, most.role, goal),
    limitLine(`s, suspended org refused, ${way}`, most.calls, goal),
    limitLine(`s, link of a suspended org closed, ${way}`, most.links, goal),
  ];
}

/** From the response of one replica to the last of two others that refuses what was revoked. */
export const revocationsRow: Row = {
  id: 'T1',
  work: 'a token is revoked, a role lowered, an org suspended -> the other replicas refuse it; the longest of 20',
  against: 'a limit',
  async run(context) {
    await using ways = await startHintWays(context, 'T1');
    const count = context.requests(tries);
    const lines: Line[] = [];
    for (const way of ways.all) {
      const database = await context.database('t1');
      const fleet = await seedFleet(database.url, 1);
      const [robotToken = ''] = await seedRobotTokens(database.url, fleet);
      await using replicas = await startReplicas(database.url, 3, way.env);
      const scene = await sceneOf(replicas, fleet.orgId, robotToken);
      lines.push(...(await linesOf(scene, count, way.name, way.isNats ? goalSeconds.nats : goalSeconds.others)));
      if (!way.isNats) continue;
      await ways.stopNats();
      await sleep(noticedMs);
      lines.push(...(await linesOf(scene, count, 'NATS stopped', goalSeconds.others)));
    }
    return lines;
  },
};

async function sceneOf(replicas: Replicas, orgId: string, robotToken: string): Promise<Scene> {
  const admin = apiOf(replicas.url(0), benchAdminToken);
  const { data } = await admin.call('POST', `/api/admin/orgs/${orgId}/tokens`, {});
  const org = apiOf(replicas.url(0), String(data['value']));
  return { others: [replicas.url(1), replicas.url(2)], admin, org, orgId, robotToken };
}
