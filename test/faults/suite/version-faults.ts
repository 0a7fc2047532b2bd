import type { Fault } from './fault.ts';
import type { WrongClock } from '../../support/wrong-clock.ts';

/** Faults of replicas that differ from the beginning; these need what only a run has. */
export const versionFaults = (clock: WrongClock | undefined, previousProgram: string): Fault[] => [
  ...(clock ? [wrongClock(clock)] : []),
  {
    name: 'A replica runs the previous release',
    promise: 'Both releases serve the same robots and callers',
    tests: ['faults/upgrade.process.test.ts', 'faults/interrupted-upgrade.process.test.ts'],
    service: { artifacts: 'folder', program: (index) => (index === 0 ? previousProgram : undefined) },
    inflict: ({ wait }) => wait(15),
    limits: { disturbedSeconds: 2, revokedSeconds: 5 },
  },
  upgradeAndBack(previousProgram),
];

const wrongClock = (clock: WrongClock): Fault => ({
  name: 'The clock of a replica is an hour ahead',
  promise: 'The clock of the database decides',
  tests: ['faults/schedules.long.test.ts'],
  // A store refuses requests that are signed with such a clock.
  service: { artifacts: 'folder', env: (index) => (index === 1 ? clock.env : {}) },
  inflict: ({ wait }) => wait(15),
  limits: { disturbedSeconds: 2 },
});

/** Each replica drains, and is replaced once the load balancer and the robots have noticed. */
export const upgradeAndBack = (previousProgram: string): Fault => ({
  name: 'All replicas are upgraded one by one, and then go back',
  promise: 'No call fails; shells, logs and deployments continue',
  tests: ['faults/upgrade.process.test.ts'],
  service: { artifacts: 'folder', program: () => previousProgram },
  async inflict({ service, wait }) {
    for (const program of [undefined, previousProgram])
      for (const replica of service.replicas) {
        await replica.current().end('SIGTERM');
        await replica.restart(program);
        await wait(8);
      }
  },
  limits: { disturbedSeconds: 0, revokedSeconds: 5 },
});
