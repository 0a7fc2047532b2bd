import type { Deviations } from './run-docs.ts';

/** What a test does differently from the reader of a page of the documentation. */
export interface PageDeviations extends Deviations {
  /** The page begins with the start of the service, so nothing is prepared. */
  startsWithNothing?: true;
  /** Robots that are simulated beside amr-007. */
  simulates?: number;
  /** Debian packages that the commands need. */
  needs?: readonly string[];
}

const startOfService = { 'npm ci && npm start\n': { seen: /"msg":"ready".*\n/, untilTheEnd: true } } as const;

/** By the path of the page. Pages without an entry are typed as they are. */
export const deviations: Readonly<Record<string, PageDeviations>> = {
  'docs/tutorials/first-fleet.md': {
    startsWithNothing: true,
    goesOn: {
      ...startOfService,
      'cli agent simulate': { seen: /up 20 /, untilTheEnd: true },
      'cli agent run': { seen: 'Connected', untilTheEnd: true },
      'cli ui': { seen: 'READ-ONLY', end: 'q' },
    },
  },
  'docs/tutorials/first-rollout.md': { simulates: 20 },
  'docs/how-to/use-shells.md': { goesOn: { 'cli robots shell amr-007 -t -- top': { seen: 'PID', end: 'q' } } },
};
