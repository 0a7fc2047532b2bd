import { expect, test, vi } from 'vitest';
import { shellSessionService } from '../../../src/live/recordings/service.ts';
import { openShell } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { finished, readRecording, recordedRobot, recordingOf, sessionsOf } from '../../support/recordings.ts';
import { startIsolatedWorld, startWorld } from '../../support/world.ts';

test('an org that asks for it has what a shell shows, with its times, and nothing that is typed', async () => {
  await using world = await startWorld();
  const email = 'kim@example.com';
  const token = await factories(world).userToken('operator', email);
  using robot = await recordedRobot(world);
  using shell = await openShell(world.url, robot.agent, robot.id, token, { query: '?cols=120&rows=40' });
  expect(shell.open).toMatchObject({ recorded: true });
  shell.viewer.socket.send('secret');
  const sign = Buffer.from('ä🤖');
  shell.robot.socket.send(Buffer.concat([Buffer.from('\ufeff$ \u001b[1m'), sign.subarray(0, 4)]));
  await expect.poll(() => shell.viewer.frames.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 60)); // the time between them is what is recorded
  shell.robot.socket.send(sign.subarray(4));
  shell.robot.socket.send(Buffer.from([0xff, 0x41, 0xe2, 0x82]));
  shell.robot.socket.send('text'); // is shown as well where frames have no meaning
  shell.robot.socket.close(1000, 'exit 0');
  await shell.viewer.closed;
  const { header, events, shown } = await finished(world, shell.open.session_id);
  expect(header).toEqual({ version: 2, width: 120, height: 40, timestamp: expect.any(Number) });
  expect(Math.abs(header.timestamp - Date.now() / 1000)).toBeLessThan(10);
  expect(shown).toBe('\ufeff$ \u001b[1mä🤖\ufffdA\ufffdtext');
  expect(events.map(([, code]) => code)).toEqual(['o', 'o', 'o', 'o']);
  const [first = 0, second = 0] = events.map(([seconds]) => seconds);
  expect(second - first).toBeGreaterThan(0.05);
  expect(second - first).toBeLessThan(5);
  const [session] = await sessionsOf(world);
  const whoami = (await world.call('GET', '/api/whoami', { token })).body.data;
  expect(session).toMatchObject({
    robot_id: robot.id,
    user_id: whoami.user.id,
    token_id: whoami.token.id,
    bytes_from_viewer: 6,
    bytes_to_viewer: 23,
    close_code: 1000,
    recorded: true,
    seconds: 0,
  });
  const { headers } = await recordingOf(world, shell.open.session_id);
  expect(headers.get('content-type')).toBe('application/x-asciicast');
});

test('who reads a recording is in the audit log; who was refused has read nothing', async () => {
  await using world = await startIsolatedWorld();
  const token = await factories(world).userToken('admin', 'kim@example.com');
  const operator = await factories(world).userToken('operator', 'lee@example.com');
  using robot = await recordedRobot(world);
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  shell.robot.socket.send(Buffer.from('secret'));
  shell.robot.socket.close(1000);
  const { session_id: id } = shell.open;
  await expect.poll(async () => (await sessionsOf(world))[0]?.['ended_at']).toBeDefined();
  const path = `/api/shell-sessions/${id}/recording`;
  const reads = async () =>
    (await world.call('GET', '/api/audit?operation=downloadShellRecording')).body.items as object[];
  expect((await world.call('GET', path, { token: operator })).status).toBe(403);
  expect((await world.call('GET', `/api/shell-sessions/${robot.id}/recording`, { token })).status).toBe(404);
  expect(await reads()).toEqual([]);
  const { headers, text } = await world.call('GET', path, { token });
  expect(text).toContain('secret');
  const { user, token: own } = (await world.call('GET', '/api/whoami', { token })).body.data;
  expect(await reads()).toEqual([
    expect.objectContaining({
      actor_kind: 'user',
      actor_id: user.id,
      token_id: own.id,
      request_id: headers.get('x-request-id'),
      object_kind: 'shell_session',
      object_id: id,
    }),
  ]);
  // What cannot be written down is not shown.
  await world.db.raw('alter table audit rename to away');
  expect(await world.call('GET', path, { token })).toMatchObject({ status: 500 });
  await world.db.raw('alter table away rename to audit');
});

test('a shell with frames is recorded by the size of its start, and each new one; without a terminal both outputs are', async () => {
  await using world = await startWorld();
  using robot = await recordedRobot(world);
  const framed = { protocol: 'fleet.shell.v1' };
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken, framed);
  shell.viewer.socket.send(JSON.stringify({ type: 'start', cols: 100, rows: 30 }));
  shell.viewer.socket.send(JSON.stringify({ type: 'resize', cols: 101, rows: 31 }));
  await expect.poll(() => shell.robot.frames.length).toBe(2);
  shell.robot.socket.send(JSON.stringify({ type: 'ready', resume_token: 't', received: 0, grace_seconds: 60 }));
  shell.robot.socket.send(Buffer.from('\u0001shown'));
  shell.robot.socket.close(1000);
  const first = await finished(world, shell.open.session_id);
  expect(first.header).toMatchObject({ width: 100, height: 30 });
  expect(first.events.map(([, ...event]) => event)).toEqual([
    ['r', '101x31'],
    ['o', '\u0001shown'],
  ]);

  using plain = await openShell(world.url, robot.agent, robot.id, world.orgToken, framed);
  plain.viewer.socket.send(JSON.stringify({ type: 'start', tty: false, command: ['ls', '--password', 'secret'] }));
  await expect.poll(() => plain.robot.frames.length).toBe(1);
  const euro = Buffer.from('€');
  plain.robot.socket.send(Buffer.concat([Buffer.from([1]), euro.subarray(0, 1)]));
  plain.robot.socket.send(Buffer.concat([Buffer.from([2]), Buffer.from('wrong\n')]));
  plain.robot.socket.send(Buffer.concat([Buffer.from([1]), euro.subarray(1)]));
  plain.robot.socket.close(1000);
  const second = await finished(world, plain.open.session_id);
  expect(second.header).toMatchObject({ width: 80, height: 24 });
  expect(second.shown).toBe('wrong\r\n€');
  expect(JSON.stringify(second)).not.toContain('secret');
});

test('a clock that is set back changes nothing of when things were shown', async () => {
  await using world = await startWorld();
  using robot = await recordedRobot(world);
  const now = Date.now;
  let aheadMs = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  shell.robot.socket.send(Buffer.from('a'));
  await expect.poll(() => shell.viewer.frames.length).toBe(1);
  try {
    aheadMs = -3_600_000;
    await new Promise((resolve) => setTimeout(resolve, 60)); // the time between them is what is recorded
    shell.robot.socket.send(Buffer.from('b'));
    await expect.poll(() => shell.viewer.frames.length).toBe(2);
  } finally {
    clock.mockRestore();
  }
  shell.robot.socket.close(1000);
  await shell.viewer.closed;
  const { events } = await finished(world, shell.open.session_id);
  const [first = 0, second = 0] = events.map(([seconds]) => seconds);
  expect(second - first).toBeGreaterThan(0.05);
});

test('without the setting a shell is listed and not recorded, and others see neither', async () => {
  await using world = await startWorld();
  const make = factories(world);
  using robot = await recordedRobot(world);
  const off = await world.call('PATCH', '/api/org', { body: { record_shells: false } });
  expect(off.body.data).toMatchObject({ id: world.orgId, record_shells: false });
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  expect(shell.open).toMatchObject({ recorded: false });
  const { session_id: id } = shell.open;
  await expect
    .poll(async () => (await sessionsOf(world))[0])
    .toEqual({
      id,
      robot_id: robot.id,
      token_id: (await world.call('GET', '/api/whoami')).body.data.token.id,
      created_at: expect.any(String),
      recorded: false,
    });
  expect(await recordingOf(world, id)).toMatchObject({
    status: 404,
    body: { error: { message: 'recording not found' } },
  });
  await world.call('PATCH', '/api/org', { body: { record_shells: true } });
  using recorded = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  const path = `/api/shell-sessions/${recorded.open.session_id}/recording`;
  await expect.poll(async () => (await world.call('GET', path)).status).toBe(200);
  const other = await make.org();
  expect(await world.call('GET', path, { token: other.token })).toMatchObject({ status: 404 });
  expect((await world.call('GET', '/api/shell-sessions', { token: other.token })).body.items).toEqual([]);
  expect(await sessionsOf(world, `?robot_id=${world.orgId}`)).toEqual([]);
  expect(await sessionsOf(world, `?robot_id=${robot.id}`)).toHaveLength(2);
  const page = await world.call('GET', '/api/shell-sessions?limit=1');
  expect(page.body.items).toEqual([expect.objectContaining({ id })]);
  const next = await world.call('GET', `/api/shell-sessions?limit=1&cursor=${page.body.next_cursor}`);
  expect(next.body.items).toEqual([expect.objectContaining({ id: recorded.open.session_id })]);
  const changes = (await world.call('GET', '/api/audit?operation=updateOrg')).body.items;
  expect(changes.at(-1)).toMatchObject({ object_id: world.orgId, before: { record_shells: false } });
});

test('sessions that are over go after their days with their recordings; one that is open stays', async () => {
  await using world = await startIsolatedWorld({ recordingLimits: { writeEveryMs: 20 } });
  using robot = await recordedRobot(world);
  const shell = async () => {
    const made = await openShell(world.url, robot.agent, robot.id, world.orgToken);
    made.robot.socket.send(Buffer.from('shown'));
    await expect.poll(async () => (await recordingOf(world, made.open.session_id)).text).toContain('shown');
    return made;
  };
  using old = await shell();
  using young = await shell();
  using open = await shell();
  for (const { robot: end, open: asked } of [old, young]) {
    end.socket.close(1000);
    await finished(world, asked.session_id);
  }
  const ageOf = ({ open: { session_id: id } }: typeof old, days: number) =>
    world.db.raw('update shell_sessions set created_at = created_at - make_interval(days => ?) where id = ?', [
      days,
      id,
    ]);
  await ageOf(old, 31);
  await ageOf(young, 29);
  await ageOf(open, 31);
  expect(await shellSessionService(world.db).dropOlder(30)).toBe(1);
  expect((await sessionsOf(world)).map(({ id }) => id)).toEqual([open.open.session_id, young.open.session_id]);
  expect((await recordingOf(world, old.open.session_id)).status).toBe(404);
  expect(await world.db('shell_recordings').where({ session_id: old.open.session_id })).toEqual([]);
  expect((await recordingOf(world, young.open.session_id)).text).toContain('shown');
});

test('a shell that begins and ends while the database is away is over in the list and in the audit log once it is back', async () => {
  await using world = await startIsolatedWorld();
  using robot = await recordedRobot(world);
  await world.call('PATCH', '/api/org', { body: { record_shells: false } });
  await world.db.raw('alter table audit rename to audit_away');
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  await expect.poll(() => sessionsOf(world)).toHaveLength(1);
  await world.db.raw('alter table shell_sessions rename to away');
  shell.viewer.socket.close(1000);
  await shell.robot.closed;
  await new Promise((resolve) => setTimeout(resolve, 300)); // that it is tried now
  const { rows } = await world.db.raw('select now() as at');
  await world.db.raw('alter table away rename to shell_sessions; alter table audit_away rename to audit');
  await expect.poll(async () => (await sessionsOf(world))[0]).toMatchObject({ close_code: 1000 });
  const entries = async (operation: string) =>
    (await world.call('GET', `/api/audit?operation=${operation}`)).body.items as { at: string; after: object }[];
  await expect.poll(() => entries('openShell')).toHaveLength(1);
  await expect.poll(() => entries('closeShell')).toHaveLength(1);
  const [opened, closed] = [...(await entries('openShell')), ...(await entries('closeShell'))];
  expect(closed?.after).toMatchObject({ session_id: shell.open.session_id, code: 1000 });
  // They have the times of what they describe.
  expect(Date.parse(opened?.at ?? '')).toBeLessThanOrEqual(Date.parse(closed?.at ?? ''));
  expect(Date.parse(closed?.at ?? '')).toBeLessThan(rows[0].at.getTime());
});

test('while nothing can be written the robot waits, and nothing of it is lost', async () => {
  await using world = await startIsolatedWorld({ recordingLimits: { writeEveryMs: 50 } });
  using robot = await recordedRobot(world);
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  const lock = await world.db.transaction();
  await lock.raw('lock table shell_recordings in access exclusive mode');
  const line = Buffer.from(`${'x'.repeat(1023)}\n`);
  const lines = 4_096;
  try {
    for (let sent = 0; sent < lines; sent += 1) shell.robot.socket.send(line);
    await expect.poll(() => shell.viewer.byteCount()).toBeGreaterThan(100_000);
    const stopped = async () => {
      const before = shell.viewer.byteCount();
      await new Promise((resolve) => setTimeout(resolve, 150)); // that nothing comes takes time to see
      return shell.viewer.byteCount() === before;
    };
    await expect.poll(stopped).toBe(true);
    expect(shell.viewer.byteCount()).toBeLessThan(512 * 1024);
  } finally {
    await lock.rollback();
  }
  await expect.poll(() => shell.viewer.byteCount()).toBe(lines * line.length);
  shell.robot.socket.close(1000);
  const { shown } = await finished(world, shell.open.session_id);
  expect(shown.length).toBe(lines * line.length);
});

test('a shell whose recording cannot be written, or is full, is closed and says so', async () => {
  await using world = await startIsolatedWorld({
    recordingLimits: { writeEveryMs: 20, giveUpAfterMs: 300, maxBytes: 100_000 },
  });
  using robot = await recordedRobot(world);
  using long = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  for (let sent = 0; sent < 200; sent += 1) long.robot.socket.send(Buffer.from('x'.repeat(1_000)));
  expect(await long.viewer.closed).toEqual({ code: 4403, reason: 'the recording of this shell is full' });
  expect(await long.robot.closed).toMatchObject({ code: 4403 });
  expect((await finished(world, long.open.session_id)).shown.length).toBe(long.viewer.byteCount());

  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  await world.db.raw('alter table shell_recordings rename to away');
  shell.robot.socket.send(Buffer.from('x'));
  await expect.poll(() => shell.viewer.byteCount()).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50)); // its chunk is on its way
  shell.robot.socket.send(Buffer.from('y'));
  expect(await shell.viewer.closed).toEqual({ code: 1013, reason: 'this shell cannot be recorded at the moment' });
  expect(await shell.robot.closed).toMatchObject({ code: 1001 });
  await world.db.raw('alter table away rename to shell_recordings');
  await expect.poll(async () => (await sessionsOf(world))[1]).toMatchObject({ close_code: 1013 });
  // Nothing after what is missing.
  expect(await recordingOf(world, shell.open.session_id)).toMatchObject({ status: 200, text: '' });
  expect(readRecording((await recordingOf(world, long.open.session_id)).text).header.version).toBe(2);
});
