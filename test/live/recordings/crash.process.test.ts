import { expect, test } from 'vitest';
import { openShell, shellAgent } from '../../support/dial-back.ts';
import { startKillableService } from '../../support/killable-service.ts';
import { readRecording } from '../../support/recordings.ts';

test('a service that is killed leaves a recording that can be read up to its last second, and the session ends', async () => {
  await using service = await startKillableService();
  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await fetch(new URL(path, service.url), init)).text();
  };
  const made = async (path: string, body: object) =>
    (JSON.parse(await call('POST', path, body)) as { data: Record<string, string> }).data;
  await call('PATCH', '/api/org', { record_shells: true });
  const site = await made('/api/sites', { name: 'Osaka' });
  const fleet = await made('/api/fleets', { name: 'pickers', site_id: site['id'] });
  const key = await made('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
  const enrolled = await fetch(new URL('/agent/enroll', service.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key['value']}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'amr-1' }),
  });
  const { data } = (await enrolled.json()) as { data: { robot_id: string; robot_token: string } };
  const url = service.url.href.replace(/\/$/, '');
  const agent = await shellAgent(url, data.robot_token);
  using shell = await openShell(url, agent, data.robot_id, service.token);
  const path = `/api/shell-sessions/${shell.open.session_id}/recording`;
  let sent = 0;
  const timer = setInterval(() => shell.robot.socket.send(Buffer.from(`line ${(sent += 1)}\r\n`)), 5);
  await expect.poll(async () => call('GET', path), { interval: 100 }).toContain('line 50\\r');
  const before = readRecording(await call('GET', path)).shown;
  await service.killServer();
  clearInterval(timer);
  expect(await service.db('shell_sessions').whereNull('ended_at')).toHaveLength(1);
  // Once its lease has run out, the maintenance of any other ends what it left.
  await service.db('replicas').update({ lease_until: new Date(0) });
  await service.startServer();
  const { shown } = readRecording(await call('GET', path));
  expect(shown.startsWith(before)).toBe(true);
  const lines = shown.trimEnd().split('\r\n');
  expect(lines).toEqual(lines.map((_, place) => `line ${place + 1}`));
  const session = async () =>
    (JSON.parse(await call('GET', '/api/shell-sessions')) as { items: Record<string, unknown>[] }).items[0];
  await expect.poll(session).toHaveProperty('ended_at');
  expect(await session()).not.toHaveProperty('close_code');
});
