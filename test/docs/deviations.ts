import type { Deviations } from './run-docs.ts';

/** What a test does differently from the reader of a page of the documentation. */
export interface PageDeviations extends Deviations {
  /** Debian packages that the commands need. */
  needs?: readonly string[];
}

/** By the path of the page. Pages without an entry are typed as they are. */
export const deviations: Readonly<Record<string, PageDeviations>> = {
  'docs/tutorials/python-agent.md': {
    needs: ['python3-websockets'],
    instead: { 'sleep 5': 'sleep 0.5' },
    goesOn: { 'while sleep 5': { seen: 'up as', untilTheEnd: true } },
  },
};
