import { once } from 'node:events';
import { spawnServer } from '../../support/server-process.ts';
import { shortForm, type Fault, type Scene } from './fault.ts';

const replicaOf = ({ service, random }: Scene) => random.pick(service.replicas);

export async function killReplica(scene: Scene): Promise<void> {
  const replica = replicaOf(scene);
  await replica.current().end('SIGKILL');
  await scene.wait(5);
  await replica.restart();
}

/** Starts one more replica with these settings. @throws Error unless it exits with one sentence that has this text */
async function mustRefuse({ service }: Scene, env: Record<string, string>, text: string): Promise<void> {
  // The SDK of S3 warns of old versions of Node.js.
  const quiet = { PORT: '0', NODE_NO_WARNINGS: '1' };
  const late = spawnServer({ ...service.replicas[0]?.environment, ...quiet, ...env });
  const [code] = (await once(late.child, 'close')) as [number | null];
  const said = late.stderr().trim();
  if (code !== 1 || !said.includes(text) || said.includes('\n')) throw new Error(`exit ${code}: ${said}`);
}

export const replicaFaults: readonly Fault[] = [
  {
    name: 'A replica is killed',
    promise: 'Another replica continues; nothing acknowledged is lost',
    tests: ['faults/replicas-behind-haproxy.long.test.ts', 'faults/orders.long.test.ts'],
    inflict: killReplica,
    limits: { disturbedSeconds: 20 },
  },
  {
    name: 'A replica is stopped for 40 s and continued',
    promise: 'The others take its robots; it does no harm when it continues',
    tests: ['faults/stopped.process.test.ts'],
    async inflict(scene) {
      const { child } = replicaOf(scene).current();
      child.kill('SIGSTOP');
      await scene.wait(40);
      child.kill('SIGCONT');
    },
    limits: { disturbedSeconds: 60 },
  },
  {
    name: 'Two replicas cannot reach each other',
    promise: 'Only streams with ends on both fail, and open again',
    tests: ['live/dial-back/replicas.process.test.ts'],
    async inflict({ service, wait }) {
      const wires = service.wires.peers.slice(0, 2);
      for (const wire of wires) wire.mode = 'refuse';
      await wait(20);
      for (const wire of wires) wire.mode = 'pass';
    },
    limits: { disturbedSeconds: 5 },
  },
  {
    name: 'The load balancer is cut',
    promise: 'Retries with the same key finish each write once',
    tests: shortForm,
    isShort: true,
    async inflict({ service, wait }) {
      service.wires.balancer.mode = 'refuse';
      await wait(5);
      service.wires.balancer.mode = 'pass';
    },
    limits: { disturbedSeconds: 15 },
  },
  {
    name: 'A replica with a newer schema',
    promise: 'A replica that is older than the schema exits with one sentence',
    tests: ['faults/database.process.test.ts'],
    isShort: true,
    async inflict(scene) {
      const { db } = scene.service;
      const name = '9999_future';
      await db('migrations').insert({ name, batch: 9_999, migration_time: new Date() });
      try {
        await mustRefuse(scene, {}, name);
      } finally {
        await db('migrations').where({ name }).delete();
      }
    },
    limits: { disturbedSeconds: 5 },
  },
  {
    name: 'A replica with another secret',
    promise: 'A replica that shares no cluster secret with the others exits with one sentence',
    tests: ['app/several-replicas.isolated.test.ts'],
    inflict: (scene) => mustRefuse(scene, { SERVICE_CLUSTER_SECRET: 'other'.repeat(8) }, 'SERVICE_CLUSTER_SECRET'),
    limits: { disturbedSeconds: 5 },
  },
];
