import { expect, test } from 'vitest';
import { signedInHome } from '../support/cli.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { records } from '../logs/support.ts';

const frameOf = (from: number, to: number) => ({
  type: 'logs',
  spool: 'spool',
  from_seq: from,
  to_seq: to,
  records: records(from, to),
});

test('a robot beyond the log quota of its org keeps its link, and people see why its logs end', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await linkedAgent(world.url, token);
  const set = await home.cli(['admin', 'orgs', 'set-quotas', world.orgId, '--max-log-bytes-per-day', '150']);
  expect(set.code).toBe(0);
  for (const [from, to] of [[1, 2] as const, [3, 5] as const, [6, 6] as const]) {
    robot.send(frameOf(from, to));
    expect(await robot.next('logs_ack')).toMatchObject({ spool: 'spool', seq: to });
  }
  robot.send({ type: 'heartbeat', health: { ts: '2026-11-21T09:00:00.000Z', uptime_s: 77 } });
  await expect
    .poll(async () => (await world.call('GET', `/api/robots/${id}/health`)).body.data?.snapshot.uptime_s)
    .toBe(77);
  expect(robot.socket.readyState).toBe(1);

  const shown = await home.cli(['robots', 'logs', 'amr-1']);
  expect(shown.stdout).toMatch(
    /line 1\t.*\n.*line 2\t.*\n.*\twarn\tservice\t3 records dropped: the org has stored its quota/,
  );
  expect(shown.stdout).not.toContain('line 3');
  const quotas = await home.cli(['org', 'quotas'], { columns: 80, env: { NO_COLOR: '1' } });
  expect(quotas.stdout).toMatch(/LOG BYTES PER DAY +178 B of 150 B today; 4 records dropped/);
  const audit = await home.cli([
    'audit',
    'list',
    '--operation',
    'refuseLogRecords',
    '--fields',
    'operation,actor_kind',
  ]);
  expect(audit.stdout).toBe('refuseLogRecords\tsystem\n');
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  expect(metrics).toContain('fleet_quota_refusals_total{quota="log_bytes_per_day"} 4');
});
