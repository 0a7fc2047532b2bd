import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeIdentity } from '../../../cli/files/identity.ts';
import { built } from './built.ts';
import type { BenchDatabase } from './database.ts';
import { seedFleet, seedRobotTokens } from './fleet-data.ts';
import { startOurs } from './ours.ts';

/** The built service and agent, and how the client is called that opens shells on it. */
export interface BenchShell extends AsyncDisposable {
  program: string;
  /** Flags and the command are added. */
  args: readonly string[];
  robotId: string;
  env: Readonly<Record<string, string>>;
}

export async function startBenchShell(database: BenchDatabase): Promise<BenchShell> {
  const fleet = await seedFleet(database.url, 1);
  const [robotToken = ''] = await seedRobotTokens(database.url, fleet);
  const server = await startOurs({ DATABASE_URL: database.url });
  const home = await mkdtemp(join(tmpdir(), 'bench-shell-'));
  const [robotId = ''] = fleet.robotIds;
  const identity = { backendUrl: server.url, robotId, robotToken, robotName: 'amr-1' };
  await writeIdentity(join(home, 'service'), { ...identity, orgId: fleet.orgId, siteId: 'site', fleetId: 'fleet' });
  const cli = built('dist/cli/main.js');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
  const agent = spawn(process.execPath, [cli, 'agent', 'run', '--allow-shell'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(agent, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface(agent.stderr).on('line', (line) => line.startsWith('Connected') && resolve());
    agent.once('exit', () => reject(new Error('the agent ended before it was connected')));
  });
  return {
    program: process.execPath,
    args: [cli, 'robots', 'shell', '--base-url', server.url, robotId],
    robotId,
    env: { ...env, SERVICE_TOKEN: fleet.userToken },
    async [Symbol.asyncDispose]() {
      agent.kill('SIGTERM');
      await exited;
      await server[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    },
  };
}
