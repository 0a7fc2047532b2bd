import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { until } from '../support/until.ts';

/** How programs are run that were installed in one of the ways. */
export interface Installed {
  /** Runs a line of the client, without quotes; returns its output. @throws unless it ends with 0 */
  cli(line: string): Promise<string>;
  /** Starts the agent with this enrollment key. */
  startAgent(key: string): unknown;
  /** A file that the client can read, to deploy. */
  file: string;
  /** The address of the service. */
  url: string;
  /** Of an org without sites. */
  token: string;
}

/** The client and the agent on this machine, by the words that start the client. */
export function clientHere(words: string[], env: Record<string, string>, url: string) {
  const agents: ChildProcess[] = [];
  const [program = '', ...before] = words;
  return {
    async cli(line: string) {
      return (await promisify(execFile)(program, [...before, ...line.split(' ')], { env })).stdout;
    },
    startAgent(key: string) {
      const flags = ['agent', 'run', '--backend-url', url, '--name', 'amr-007'];
      const own = { ...env, SERVICE_ENROLLMENT_KEY: key };
      agents.push(spawn(program, [...before, ...flags], { env: own, stdio: 'ignore' }));
    },
    [Symbol.dispose]() {
      for (const agent of agents) agent.kill('SIGKILL');
    },
  };
}

/** What the first start of the service printed, on an embedded Postgres. */
export const tokenIn = (output: string): string => /svc_org_[0-9a-f]{64}/.exec(output)?.[0] ?? '';

/** With SERVICE_ADMIN_TOKEN in the environment of the client: the token of a new org. */
export async function tokenOfNewOrg({ cli, url }: Pick<Installed, 'cli' | 'url'>): Promise<string> {
  const id = await cli(`admin orgs create Acme --fields id --base-url ${url}`);
  return tokenIn(await cli(`admin orgs approve ${id.trim()} --base-url ${url}`));
}

/** The quick start of the README, from a token to a file on a robot. */
export async function quickStart({ cli, startAgent, file, url, token }: Installed): Promise<void> {
  await cli(`login --base-url ${url} --token ${token}`);
  await cli('sites create Osaka');
  await cli('fleets create pickers --site Osaka');
  const created = await cli('keys new --site Osaka --fleet pickers --max-uses 1 --expires-in-hours 24');
  const [key = ''] = /svc_enroll_\w+/.exec(created) ?? [];
  await startAgent(key);
  await until(async () => /true/.test(await cli('robots list --fields online')));
  await cli(`releases push ${file} --tag maps-7 --kind file --upload`);
  // Ends with 7 unless the robot applied it.
  await cli('deploy maps-7 --fleet pickers --watch');
  expect(await cli('deployments list --fields release_name,status')).toContain('maps-7\tapplied');
}
