import type { PgBouncer } from '../../support/pgbouncer.ts';
import { restartPostgres } from './database-faults.ts';
import type { Fault } from './fault.ts';
import { killReplica } from './replica-faults.ts';
import type { FaultService, ServiceOptions } from './service.ts';

const pooled: ServiceOptions = { postgres: 'pooled' };

const poolerOf = ({ pooler }: FaultService): PgBouncer => {
  if (!pooler) throw new Error('this service has no pooler');
  return pooler;
};

export const poolerFaults: readonly Fault[] = [
  {
    name: 'PgBouncer is killed for 5 s',
    promise: 'Requests get 503 with `Retry-After`; links of robots stay open',
    tests: ['faults/pooler-restarts.process.test.ts'],
    service: pooled,
    isShort: true,
    async inflict({ service, wait }) {
      await poolerOf(service).kill();
      await wait(5);
      await poolerOf(service).start();
    },
    limits: { disturbedSeconds: 20 },
  },
  {
    name: 'Postgres behind PgBouncer is restarted',
    promise: 'Requests get 503 with `Retry-After`; links of robots stay open',
    service: pooled,
    inflict: restartPostgres,
    limits: { disturbedSeconds: 20 },
  },
  {
    name: 'A replica behind PgBouncer is killed',
    promise: 'Another replica continues; nothing acknowledged is lost',
    service: pooled,
    inflict: killReplica,
    limits: { disturbedSeconds: 20 },
  },
];
