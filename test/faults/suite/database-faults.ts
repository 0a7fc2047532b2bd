import pg from 'pg';
import type { Fault, Scene } from './fault.ts';
import type { FaultService, PlainPostgres } from './service.ts';

const plainOf = ({ plain }: FaultService): PlainPostgres => {
  if (!plain) throw new Error('this service has no single Postgres');
  return plain;
};

/** Takes each connection that is free until they are released. */
function takeConnections(connectionString: string) {
  const clients = new Set<pg.Client>();
  let isOver = false;
  const isRunning = () => !isOver; // as a function: it changes while connections are awaited
  const take = async () => {
    while (isRunning()) {
      const client = new pg.Client({ connectionString });
      client.on('error', () => undefined);
      try {
        await client.connect();
        clients.add(client);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  const taking = take();
  return {
    async release() {
      isOver = true;
      await taking;
      await Promise.all([...clients].map((client) => client.end().catch(() => undefined)));
    },
  };
}

/** Ends all connections of the service. */
const endConnections = ({ db }: FaultService) =>
  db.raw(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'fleet-control-service %'`,
  );

export async function restartPostgres({ service, wait }: Scene): Promise<void> {
  await plainOf(service).stop('SIGINT');
  await wait(2);
  await plainOf(service).start();
}

export const databaseFaults: readonly Fault[] = [
  {
    name: 'Postgres is restarted',
    promise: 'Requests get 503 with `Retry-After`; links of robots stay open',
    tests: ['faults/database.process.test.ts'],
    inflict: restartPostgres,
    limits: { disturbedSeconds: 20 },
  },
  {
    name: 'Postgres is frozen for 20 s',
    promise: 'Requests end with 503 within 15 s; nothing waits forever',
    tests: ['faults/database.process.test.ts'],
    async inflict({ service, wait }) {
      plainOf(service).signalAll('SIGSTOP');
      await wait(20);
      plainOf(service).signalAll('SIGCONT');
    },
    limits: { disturbedSeconds: 45 },
  },
  {
    name: 'Postgres has no free connection for 15 s',
    promise: 'Requests wait for a connection, then get 503',
    tests: ['faults/connections.process.test.ts'],
    async inflict({ service, wait }) {
      const taken = takeConnections(plainOf(service).url);
      await wait(1);
      await endConnections(service);
      await wait(15);
      await taken.release();
    },
    limits: { disturbedSeconds: 45 },
  },
  {
    name: 'Postgres fails over to a synchronous standby',
    promise: 'Changes work within 10 s after the promotion; nothing acknowledged is lost',
    tests: ['faults/failover.process.test.ts', 'faults/patroni.process.test.ts'],
    service: { postgres: 'pair' },
    async inflict({ service: { pair }, wait }) {
      await pair?.primary.signal('SIGKILL');
      await wait(2);
      pair?.promote();
    },
    limits: { disturbedSeconds: 30 },
  },
  {
    name: 'The disk of Postgres is full for 10 s',
    promise: 'Requests get 503; the service continues once there is space',
    tests: ['logs/full-disk.isolated.test.ts'],
    service: { postgres: 'small disk' },
    async inflict({ service, wait }) {
      service.disk?.fill();
      await wait(10);
      service.disk?.empty();
      // Without space for its log, Postgres may have ended, as an operator's supervisor would see.
      if (plainOf(service).hasEnded()) await plainOf(service).start();
    },
    limits: { disturbedSeconds: 60 },
  },
];
