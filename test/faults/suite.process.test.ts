import { expect } from 'vitest';
import { testWith } from '../support/tools.ts';
import { dependencyFaults } from './suite/dependency-faults.ts';
import { lossText, seenText } from './suite/figures.ts';
import { poolerFaults } from './suite/pooler-faults.ts';
import { replicaFaults } from './suite/replica-faults.ts';
import { runFaults } from './suite/run.ts';

/** Those that are quick on one service; `npm run test:faults` is the whole. */
const faults = [...replicaFaults, ...dependencyFaults, ...poolerFaults].filter(({ isShort }) => isShort);
/** The shortest that leaves each fault its effect. */
const size = { robots: 10, streams: 3, pace: 0.25 };

testWith(
  'haproxy',
  'nats-server',
  'pgbouncer',
  'postgresql',
  'python3-swift',
)(
  'under load, faults of the load balancer, NATS, PgBouncer, the schema and the S3 store break no promise',
  async ({ annotate }) => {
    const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 2 ** 31);
    await annotate(`FAULT_SEED=${seed}`);
    const broken: unknown[] = [];
    await runFaults(faults, { ...size, seed }, async ({ fault, figures, violations }) => {
      await annotate(`${fault.name}: ${seenText(figures)}; ${figures.disturbedMs} ms; broken: ${lossText(violations)}`);
      broken.push(...violations.map((violation) => ({ fault: fault.name, ...violation })));
    });
    expect(broken).toEqual([]);
  },
);
