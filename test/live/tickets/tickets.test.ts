import { expect, test } from 'vitest';
import { ticketService } from '../../../src/live/tickets/service.ts';
import { nextOpen, openStream, shellAgent, shellOf } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { robotsOf } from '../../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

async function linkedRobot(world: World, name = 'amr-1') {
  const robot = await robotsOf(world).enroll(name);
  const agent = await shellAgent(world.url, robot.robot_token);
  return { id: robot.robot_id, agent, [Symbol.dispose]: () => agent.socket.terminate() };
}

const ticketFor = async (world: World, robotId: string, kind: string, token = world.orgToken) =>
  (await world.call('POST', '/api/stream-tickets', { token, body: { robot_id: robotId, kind } })).body.data as {
    ticket: string;
    expires_at: string;
  };

const logsOf = (url: string, id: string, query: string) => `${url}/api/robots/${id}/logs/ws${query}`;

test('a ticket opens one stream in the name of who got it, at any replica, and no second one', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const user = await factories(world).user('operator');
  const { value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  using robot = await linkedRobot(world);
  const { ticket, expires_at } = await ticketFor(other, robot.id, 'shell', value);
  expect(ticket).toMatch(/^svc_ticket_[0-9a-f]{64}$/);
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 30_000)).toBeLessThan(5_000);
  using viewer = await openStream(shellOf(world.url, robot.id, `?token=${ticket}&cols=100`));
  expect(await nextOpen(robot.agent)).toMatchObject({ opened_by: `user:${user.id}`, parameters: { cols: 100 } });
  expect(viewer.headers['x-service-org-id']).toBe(world.orgId);
  await expect(openStream(shellOf(world.url, robot.id, `?token=${ticket}`))).rejects.toMatchObject({ status: 401 });

  const logs = await ticketFor(world, robot.id, 'logs', value);
  using inHeader = await openStream(logsOf(other.url, robot.id, '?tail=5'), { token: logs.ticket });
  expect(inHeader.socket.readyState).toBe(1);
  expect([...world.lines, ...other.lines].join('\n')).not.toMatch(/svc_[a-z]+_[0-9a-f]{64}/);
  expect(await world.count('stream_tickets')).toBe(0);
});

test('two who come with one ticket at the same instant: one is let in', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  const { ticket } = await ticketFor(world, robot.id, 'logs');
  const crowd = await Promise.allSettled(
    Array.from({ length: 10 }, () => openStream(logsOf(world.url, robot.id, `?token=${ticket}`))),
  );
  expect(crowd.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const each of crowd) if (each.status === 'fulfilled') each.value.socket.terminate();
});

test('a ticket is good for its robot, its stream, for half a minute, while its token is; and for no call', async () => {
  await using world = await startWorld();
  const make = factories(world);
  using robot = await linkedRobot(world);
  using sibling = await linkedRobot(world, 'amr-2');
  const refused = (address: string) => expect(openStream(address), address).rejects.toMatchObject({ status: 401 });
  const { ticket } = await ticketFor(world, robot.id, 'logs');
  await refused(shellOf(world.url, robot.id, `?token=${ticket}`));
  await refused(logsOf(world.url, sibling.id, `?token=${ticket}`));
  await refused(logsOf(world.url, 'x', `?token=${ticket}`));
  await refused(`${world.url}/agent/ws?token=${ticket}`);
  await refused(logsOf(world.url, robot.id, `?token=svc_ticket_${'0'.repeat(64)}`));
  expect((await world.call('GET', '/api/robots', { token: ticket })).status).toBe(401);
  using good = await openStream(logsOf(world.url, robot.id, `?token=${ticket}`));
  expect(good.socket.readyState).toBe(1);

  const tickets = () => world.db('stream_tickets').where({ org_id: world.orgId });
  // The second one is of a clock of the database that was years ahead.
  for (const expired of ["now() - interval '1 ms'", "now() + interval '70 years'"]) {
    const old = await ticketFor(world, robot.id, 'logs');
    await tickets().update({ expires_at: world.db.raw(expired) });
    await refused(logsOf(world.url, robot.id, `?token=${old.ticket}`));
    expect(await tickets()).toHaveLength(1);
    await ticketService(world.db).dropExpired();
    expect(await tickets()).toEqual([]);
  }

  const user = await make.user('operator');
  const { id, value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  const lowered = await ticketFor(world, robot.id, 'shell', value);
  const revoked = await ticketFor(world, robot.id, 'logs', value);
  await world.call('PATCH', `/api/users/${user.id}`, { body: { role: 'viewer' } });
  await expect(openStream(shellOf(world.url, robot.id, `?token=${lowered.ticket}`))).rejects.toMatchObject({
    status: 403,
  });
  await world.call('POST', `/api/tokens/${id}/revoke`);
  await refused(logsOf(world.url, robot.id, `?token=${revoked.ticket}`));
});

test('who may not open the stream gets no ticket for it, and each one is in the audit log without its value', async () => {
  await using world = await startWorld();
  const make = factories(world);
  using robot = await linkedRobot(world);
  const viewer = await make.userToken('viewer');
  const other = await make.org();
  const ask = (token: string, body: object) => world.call('POST', '/api/stream-tickets', { token, body });
  const wish = { robot_id: robot.id, kind: 'shell' };
  expect((await ask(viewer, wish)).status).toBe(403);
  expect((await ask(viewer, { ...wish, kind: 'logs' })).status).toBe(201);
  expect((await ask(other.token, wish)).status).toBe(404);
  expect((await ask(world.orgToken, { ...wish, kind: 'audit' })).status).toBe(400);
  expect((await ask(world.orgToken, wish)).status).toBe(201);
  const { items } = (await world.call('GET', '/api/audit?operation=createStreamTicket')).body;
  expect(items).toMatchObject([
    { object_id: robot.id, after: { kind: 'logs' } },
    { object_id: robot.id, after: { kind: 'shell' } },
  ]);
  expect(JSON.stringify(items)).not.toContain('svc_ticket');
  expect(await world.db('stream_tickets').whereRaw("encode(digest, 'hex') like '%svc%'")).toEqual([]);
});
