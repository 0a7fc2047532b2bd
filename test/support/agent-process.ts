import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { CliOptions, CliResult, Home, Running } from './cli.ts';

/** Makes the home that of a robot enrolled at that URL. */
export async function beRobot(home: Home, backendUrl: string): Promise<void> {
  const identity = {
    backend_url: backendUrl,
    robot_id: 'r-1',
    robot_token: 'svc_robot_test',
    robot_name: 'amr-007',
    org_id: 'o-1',
    site_id: 's-1',
    fleet_id: 'f-1',
  };
  await mkdir(home.config, { recursive: true, mode: 0o700 });
  const path = join(home.config, 'agent.toml');
  await writeFile(path, stringify(identity));
  await chmod(path, 0o600);
}

/** Where the logs of that home are spooled. */
export const stateOf = (home: Home) => join(home.path, '.local', 'state', 'service', 'agent');

export interface RunningAgent extends Running, AsyncDisposable {}

/** An agent that runs until it is disposed of. */
export function startAgent(home: Home, args: readonly string[] = [], env: Record<string, string> = {}): RunningAgent {
  const running = home.start(['agent', 'run', ...args], { env });
  return Object.assign(running, {
    async [Symbol.asyncDispose]() {
      running.kill('SIGKILL');
      await running.ended;
    },
  });
}

/**
 * Runs an agent until it knows whether the service accepts its link, then stops it in order; or until it ends by
 * itself.
 */
export async function runBriefly(home: Home, args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const running = home.start(['agent', 'run', ...args], { input: '', ...options });
  // "Connected" or "Not connected".
  await running.sees('onnected').catch(() => undefined);
  running.kill('SIGTERM');
  return running.ended;
}
