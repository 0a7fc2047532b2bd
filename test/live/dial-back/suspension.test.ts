import { expect, test } from 'vitest';
import { openShell, shellAgent } from '../../support/dial-back.ts';
import { connectAgent } from '../../support/fake-agent.ts';
import { factories } from '../../support/factories.ts';
import { viewLogs } from '../../support/log-viewer.ts';
import { robotsOf } from '../../support/robots.ts';
import { startIsolatedWorld } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

test('an org that is suspended at one replica loses every socket of every replica promptly, and nothing else', async () => {
  await using world = await startIsolatedWorld();
  await using elsewhere = await startIsolatedWorld({ shares: world });
  const { robot_id: id, robot_token: robotToken } = await robotsOf(world).enroll();
  const viewer = await factories(world).userToken('viewer');
  using agent = await shellAgent(world.url, robotToken);
  using shell = await openShell(world.url, agent, id, world.orgToken);
  using logs = await viewLogs(world.url, id, viewer);
  using logsElsewhere = await viewLogs(elsewhere.url, id, viewer);
  const other = await factories(world).org();
  const tables = ['orgs', 'users', 'tokens', 'robots', 'robot_links', 'fleets', 'sites', 'enrollment_keys'];
  const rows = async () => Promise.all(tables.map((table) => world.count(table)));
  const before = await rows();
  const move = (name: string) =>
    elsewhere.call('POST', `/api/admin/orgs/${world.orgId}/${name}`, { token: world.adminToken });

  const startedAt = performance.now();
  expect((await move('suspend')).status).toBe(200);
  const closed = await Promise.all([agent, shell.viewer, logs, logsElsewhere].map((each) => each.closed));
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
  expect(closed.map(({ code }) => code)).toEqual([1013, 4401, 4401, 4401]); // robots come back by themselves
  for (const { url } of [world, elsewhere]) {
    await expect(connectAgent(url, robotToken)).rejects.toMatchObject({ status: 401 });
    await expect(viewLogs(url, id, viewer)).rejects.toThrow('401');
  }
  for (const token of [world.orgToken, viewer, robotToken])
    for (const each of [world, elsewhere]) expect((await each.call('GET', '/api/sites', { token })).status).toBe(401);
  expect((await world.call('GET', '/api/sites', { token: other.token })).status).toBe(200);
  expect(await rows()).toEqual(before);

  expect((await move('resume')).status).toBe(200);
  await expect.poll(async () => (await world.call('GET', '/api/sites')).status).toBe(200);
  using back = await shellAgent(world.url, robotToken);
  using again = await openShell(world.url, back, id, world.orgToken);
  expect(again.viewer.socket.readyState).toBe(1);
});
