import type { Robot } from '../../api/api.ts';
import type { Column } from '../../output/view.ts';
import { placesIn, type Names, type Reference } from '../name-lookup.ts';

type Retirement = Pick<Robot, 'retired_at' | 'replaced_by' | 'replaces'>;

/** When a robot was retired and which robot replaced it, or the one that it replaced; empty for most robots. */
export const retirement = (shown: 'table' | 'asked', names: Names): Column<Retirement>[] => [
  { field: 'retired_at', header: 'RETIRED', shown, late: true, time: true },
  {
    field: 'replaced_by',
    header: 'REPLACED BY',
    shown,
    late: true,
    text: ({ replaced_by: id = '' }) => names.get(id) ?? id,
  },
  { field: 'replaces', shown, late: true, text: ({ replaces: id = '' }) => names.get(id) ?? id },
];

/** Everything that a robot refers to by ID. */
export const referencesIn = (robot: Robot): Reference[] => [
  ...placesIn(robot),
  ['robots', robot.replaced_by],
  ['robots', robot.replaces],
];
