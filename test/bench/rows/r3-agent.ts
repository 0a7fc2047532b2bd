import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeIdentity } from '../../../cli/files/identity.ts';
import { built } from '../harness/built.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startFront } from '../harness/front.ts';
import { startOurs } from '../harness/ours.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, type Row } from '../harness/row.ts';

const rssGoalMb = 60;
const cpuGoalPercent = 1;
const dayGoalMb = 5;
const daySeconds = 86_400;
/** Loading, connecting and the first snapshot are over by then. */
const settleMs = 20_000;

/** The agent as it stands on a robot that does nothing, heartbeats each 10 s. */
export const agentRow: Row = {
  id: 'R3',
  work: 'the agent on a robot that does nothing, heartbeats each 10 s',
  against: 'a limit',
  processes: 1, // It takes minutes, and what it measures is one agent over that time.
  async run(context) {
    const seconds = context.requests(240);
    const database = await context.database('r3');
    const fleet = await seedFleet(database.url, 1);
    const [robotToken = ''] = await seedRobotTokens(database.url, fleet);
    await using server = await startOurs({ DATABASE_URL: database.url });
    await using front = await startFront([Number(new URL(server.url).port)]);
    const home = await mkdtemp(join(tmpdir(), 'bench-agent-'));
    const [robotId = ''] = fleet.robotIds;
    const places = { orgId: fleet.orgId, siteId: 'site', fleetId: 'fleet' };
    await writeIdentity(join(home, 'service'), {
      backendUrl: front.url,
      robotId,
      robotToken,
      robotName: 'amr-1',
      ...places,
    });
    const agent = spawn(process.execPath, [built('dist/cli/main.js'), 'agent', 'run', '--heartbeat-seconds', '10'], {
      env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home },
      stdio: 'ignore',
    });
    const exited = new Promise((resolve) => agent.once('exit', resolve));
    try {
      await sleep(settleMs);
      const [before, bytes] = [await usageOf(agent.pid ?? 0), front.bytes];
      await sleep(seconds * 1000);
      const after = await usageOf(agent.pid ?? 0);
      return [
        limitLine('RSS MB', after.rssMb, rssGoalMb),
        limitLine('% of a core', (after.cpuMs - before.cpuMs) / seconds / 10, cpuGoalPercent),
        // Without what TCP and TLS add to it.
        limitLine('MB a day in both directions', ((front.bytes - bytes) / seconds) * daySeconds * 1e-6, dayGoalMb),
      ];
    } finally {
      agent.kill('SIGTERM');
      await exited;
      await rm(home, { recursive: true, force: true });
    }
  },
};
