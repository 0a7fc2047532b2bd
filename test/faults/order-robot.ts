import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAgent } from '../../cli/agent/agent.ts';
import { isMissing } from '../../cli/agent/orders/durable.ts';
import { startAgentFront, type AgentFront } from '../support/agent-proxy.ts';
import { factories } from '../support/factories.ts';
import { sha256 } from '../support/orders.ts';
import type { Identity } from '../support/robots.ts';
import type { World } from '../support/world.ts';

/** What a robot runs, according to the API. */
export interface Reported {
  releases: Record<string, { release_id: string; deployment_id: string }>;
  configs: Record<string, { revision: number }>;
}

/** A kind of order whose effect is visible on the disk. */
export interface DiskLane {
  name: string;
  /** Path at which its deployments are created, read and cancelled. */
  path: string;
  /** Body of a deployment whose content is not on the disk yet. */
  next(): Promise<object>;
  /** The disk's state after such a deployment is applied. */
  wanted(deploymentId: string): string;
  /** Undefined before the first deployment is applied. */
  onDisk(): Promise<string | undefined>;
  /** The disk's expected state, by what the robot is known to run. */
  said(reported: Reported): string | undefined;
}

/** The real agent of a robot in this process, with its own disk, behind a front that can hold its frames. */
export interface OrderRobot extends AsyncDisposable {
  robotId: string;
  front: AgentFront;
  lanes: readonly DiskLane[];
  /** Runs of its program, by deployment, in order. */
  runs(): Promise<string[]>;
}

export async function startOrderRobot(world: World, robot: Identity, folder: string): Promise<OrderRobot> {
  const { robot_id: robotId, robot_token: token } = robot;
  const make = factories(world);
  const [config, releases, artifacts] = [join(folder, 'config'), join(folder, 'releases'), join(folder, 'artifacts')];
  const namespace = `robot-${robotId}`;
  const runsPath = join(folder, 'runs');
  await mkdir(artifacts, { recursive: true });
  let lastWanted = '';

  async function release(kind: string, content: string) {
    await writeFile(join(artifacts, sha256(content)), content);
    const artifact = { artifact_sha256: sha256(content), artifact_size: content.length };
    const { id } = await make.release({ kind, ...artifact });
    return { id: id as string, content };
  }
  const files = [await release('file', 'map of the hall'), await release('file', 'map of the yard')] as const;
  const program = await release('script', `#!/bin/sh\necho "$SVC_DEPLOYMENT_ID" >> ${runsPath}\n`);
  const runs = async () => (await readIfThere(runsPath))?.trim().split('\n') ?? [];
  const currentFile = () => readIfThere(join(releases, 'file', 'current'));

  let revisions = 0;
  const lanes: DiskLane[] = [
    {
      name: 'config',
      path: '/api/configs/deployments',
      async next() {
        revisions += 1;
        // Each value is its revision number.
        lastWanted = String(revisions);
        const { id: config_id } = await make.config({ namespace, key: 'round', value: revisions });
        return { config_id };
      },
      wanted: () => lastWanted,
      async onDisk() {
        const text = await readIfThere(join(config, `${namespace}.json`));
        return text === undefined ? undefined : String((JSON.parse(text) as { round: number }).round);
      },
      said: ({ configs }) => configs[`${namespace}/round`]?.revision.toString(),
    },
    {
      name: 'file',
      path: '/api/deployments',
      async next() {
        const next = (await currentFile()) === files[0].content ? files[1] : files[0];
        lastWanted = next.content;
        return { release_id: next.id };
      },
      wanted: () => lastWanted,
      onDisk: currentFile,
      said: ({ releases: { file } }) => files.find(({ id }) => id === file?.release_id)?.content,
    },
    {
      name: 'script',
      path: '/api/deployments',
      next: async () => ({ release_id: program.id }),
      wanted: (deploymentId) => deploymentId,
      onDisk: async () => (await runs()).at(-1),
      said: ({ releases: { script } }) => script?.deployment_id,
    },
  ];

  const front = await startAgentFront(new URL(world.url));
  const linked = front.passes('server', ({ type }) => type === 'desired');
  const agent = await startAgent(
    {
      backendUrl: front.url,
      token,
      version: 'test',
      stateDirectory: join(folder, 'state'),
      configDirectory: folder,
      lanes: {
        config: { folder: config, onConfig: undefined, environment: {} },
        releases: { artifacts, folder: releases },
      },
      spoolMegabytes: 1,
      logFiles: [],
      commands: [],
      journalUnits: undefined,
      environment: {},
      socketOptions: {},
    },
    { status: () => undefined, told: () => undefined },
  );
  await linked;

  return {
    robotId,
    front,
    lanes,
    runs,
    async [Symbol.asyncDispose]() {
      await agent.stop();
      await front[Symbol.asyncDispose]();
    },
  };
}

const readIfThere = (path: string) =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
