import { spawnServer } from '../../support/server-process.ts';
import type { Fault, Scene } from './fault.ts';

const replicaOf = ({ service, random }: Scene) => random.pick(service.replicas);

export const replicaFaults: readonly Fault[] = [
  {
    name: 'A replica is killed',
    promise: 'Another replica continues; nothing acknowledged is lost',
    tests: ['faults/replicas-behind-haproxy.long.test.ts', 'faults/orders.long.test.ts'],
    async inflict(scene) {
      const replica = replicaOf(scene);
      await replica.current().end('SIGKILL');
      await scene.wait(5);
      await replica.restart();
    },
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
    async inflict({ service: { db, replicas } }) {
      const name = '9999_future';
      await db('migrations').insert({ name, batch: 9_999, migration_time: new Date() });
      const late = spawnServer({ ...replicas[0]?.environment, PORT: '0' });
      const [code] = await late.exited;
      await db('migrations').where({ name }).delete();
      const text = late.stderr().trim();
      if (code !== 1 || !text.includes(name) || text.includes('\n')) throw new Error(`exit ${code}: ${text}`);
    },
    limits: { disturbedSeconds: 5 },
  },
];
