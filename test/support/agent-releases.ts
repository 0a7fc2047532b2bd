import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { stateOf } from './agent-process.ts';
import { startHome, type Home, type Running } from './cli.ts';
import { factories } from './factories.ts';
import { sha256 } from './orders.ts';
import type { Entry } from './robots.ts';
import { startIsolatedWorld, type World } from './world.ts';

export const agentFile = fileURLToPath(new URL('../../dist/agent.mjs', import.meta.url));

/** Faults of a new agent, once it runs on a robot. */
export const faults = {
  throws: 'setTimeout(() => { throw new Error("the new agent is broken"); }, 300);',
  exits: 'setTimeout(() => { console.error("the new agent gives up"); process.exit(3); }, 700);',
  hangs: 'setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 300);',
  refusesFlags: 'console.error("unknown flag"); process.exit(2);',
} as const;

/** The built agent, with another version number. */
export async function agentRelease(
  version: string,
  change: { fault?: keyof typeof faults; hasLink?: boolean } = {},
): Promise<string> {
  const [first = '', ...rest] = (await readFile(agentFile, 'utf8')).split('\n');
  const { fault, hasLink = true } = change;
  const own = fault === undefined ? '' : `if (process.argv.includes('run')) { ${faults[fault]} }`;
  const text = [first, own, ...rest].join('\n').replace(/version:"\d+\.\d+\.\d+"/, `version:"${version}"`);
  return hasLink ? text : text.replaceAll('/agent/ws', '/agent/none');
}

/** The content of `update.json` on the robot. */
export interface UpdateFile {
  current?: { digest: string; version: string };
  previous?: { digest: string };
  probation?: { starts: number };
  taken_back?: { digest: string; why: string };
}

/** A robot with a service, which gets releases of its agent. */
export interface UpdatedRobot extends AsyncDisposable {
  world: World;
  home: Home;
  folder: string;
  /** Starts the installed program, the client or a standalone agent, and waits until it is online. */
  start(args?: readonly string[], program?: string): Promise<Running>;
  /** Uploads the agent and orders it; returns its digest. */
  order(agent: string): Promise<string>;
  /** The outcome of the newest order, once it has ended. */
  end(): Promise<{ status: string; reason: string | null; message: string | null }>;
  /** The current status of the newest order. */
  status(): Promise<string>;
  isOnline(): Promise<boolean>;
  /** The version last reported to the service. */
  version(): Promise<string | undefined>;
  record(): Promise<UpdateFile>;
  /** Kinds of the robot's timeline entries. */
  kinds(): Promise<string[]>;
  make: ReturnType<typeof factories>;
}

export async function startUpdatedRobot(settleSeconds = 1): Promise<UpdatedRobot> {
  const world = await startIsolatedWorld();
  const home = await startHome();
  const make = factories(world);
  const { value: key } = (await make.key()) as { value: string };
  const folder = join(stateOf(home), 'releases', 'agent');
  const terminal = ['applied', 'failed', 'rolled_back', 'cancelled'];
  let deployment = '';
  const get = async (path: string) => (await world.call('GET', path)).body;
  const robot = async () => (await get('/api/robots')).items[0] as { id: string; online: boolean } | undefined;
  const status = async () => (await get(`/api/deployments/${deployment}`)).data.status as string;
  const timeline = async () => (await get(`/api/robots/${(await robot())?.id}/timeline`)).items as Entry[];
  const isOnline = async () => (await robot())?.online === true;

  return {
    world,
    home,
    folder,
    make,
    status,
    isOnline,
    async start(args = [], program) {
      const flags = ['--settle-seconds', String(settleSeconds), '--heartbeat-seconds', '1', '--backend-url', world.url];
      const words = program === undefined ? ['agent', 'run'] : ['run'];
      const env = { SERVICE_ENROLLMENT_KEY: key };
      const running = home.start([...words, ...flags, ...args], { env, program });
      await expect.poll(isOnline).toBe(true);
      return running;
    },
    async order(agent) {
      const digest = sha256(agent);
      const artifact = { artifact_sha256: digest, artifact_size: Buffer.byteLength(agent) };
      const { id: release_id } = await make.release({ kind: 'agent', ...artifact });
      const headers = { 'Content-Type': 'application/octet-stream' };
      await world.call('PUT', `/api/artifacts/${digest}`, { body: agent, headers });
      const target = { target_kind: 'robot', target_id: (await robot())?.id };
      deployment = (await make.deployment({ release_id, ...target })).id as string;
      return digest;
    },
    async end() {
      await expect.poll(status).toSatisfy((text: string) => terminal.includes(text));
      const [target] = (await get(`/api/deployments/${deployment}/targets`)).items;
      return target;
    },
    async version() {
      const connected = (await timeline()).filter(({ kind }) => kind === 'connected');
      return connected.at(-1)?.details['agent_version'] as string | undefined;
    },
    record: async () => JSON.parse(await readFile(join(folder, 'update.json'), 'utf8').catch(() => '{}')) as UpdateFile,
    kinds: async () => (await timeline()).map(({ kind }) => kind),
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Child processes of that one: agents under a supervisor. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** A zombie counts as gone: the parent that should read its exit status may be gone too. */
export async function isGone(pid: number | undefined): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text === '' || /\) [ZX] /.test(text);
}
