import type { Fault } from './fault.ts';
import type { WrongClock } from '../../support/wrong-clock.ts';

/** Faults of replicas that differ from the beginning; these need what only a run has. */
export function versionFaults(clock: WrongClock | undefined, previousProgram: string | undefined): Fault[] {
  const faults: Fault[] = [];
  if (clock)
    faults.push({
      name: 'The clock of a replica is an hour ahead',
      promise: 'The clock of the database decides',
      tests: ['faults/schedules.long.test.ts'],
      // A store refuses requests that are signed with such a clock.
      service: { artifacts: 'folder', env: (index) => (index === 1 ? clock.env : {}) },
      inflict: ({ wait }) => wait(15),
      limits: { disturbedSeconds: 2 },
    });
  if (previousProgram !== undefined)
    faults.push({
      name: 'A replica runs the previous release',
      promise: 'Both releases serve the same robots and callers',
      service: { artifacts: 'folder', firstProgram: previousProgram },
      inflict: ({ wait }) => wait(15),
      limits: { disturbedSeconds: 2, revokedSeconds: 5 },
    });
  return faults;
}
