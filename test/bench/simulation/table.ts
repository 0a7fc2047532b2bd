import { randomFrom } from '../../support/random.ts';
import { drawTable } from '../harness/report.ts';
import { shape } from './costs.ts';
import { releaseToAll } from './releasing.ts';
import { comeBack } from './returning.ts';

interface Outcome {
  mostSeconds: number;
  allSeconds: number;
  longestQueue: number;
  cores?: number;
}

const { cells, robots, replicas } = shape;
/** Work of a robot on a release: download, installation and verification, in seconds. */
const usual = [
  [30, 90],
  [5, 30],
  [5, 15],
] as const;
const none = [
  [0, 0],
  [0, 0],
  [0, 0],
] as const;

const events: Record<string, (seed: number) => Outcome> = {
  'A cell was down for 60 s': (seed) => comeBack({ robots, replicas, downSeconds: 60, random: randomFrom(seed) }),
  'One of 8 replicas of a cell is lost': (seed) =>
    comeBack({ robots: robots / replicas, replicas: replicas - 1, downSeconds: 0, random: randomFrom(seed) }),
  'A release to all robots, 40 to 135 s of work': (seed) =>
    releaseToAll({ robots, replicas, work: usual, random: randomFrom(seed) }),
  'A release to all robots, no work': (seed) =>
    releaseToAll({ robots, replicas, work: none, random: randomFrom(seed) }),
};

const count = (value: number) => Math.round(value).toLocaleString('en-US');

/** The slowest of all cells, for each event: cells share nothing, so each happens in every cell at once. */
export function simulationTable(): string {
  const body = Object.entries(events).map(([name, simulate]) => {
    const each = Array.from({ length: cells }, (_, cell) => simulate(cell + 1));
    const most = (of: (outcome: Outcome) => number) => Math.max(...each.map(of));
    const cores = each.map((outcome) => outcome.cores ?? 0).reduce((sum, one) => sum + one, 0);
    return [
      name,
      `${most((outcome) => outcome.mostSeconds).toFixed(1)} s`,
      `${most((outcome) => outcome.allSeconds).toFixed(1)} s`,
      count(most((outcome) => outcome.longestQueue)),
      cores > 0 ? cores.toFixed(1) : '',
    ];
  });
  return drawTable(['Event', '99 % done', 'All done', 'Longest queue', 'Mean cores, all cells'], body);
}
