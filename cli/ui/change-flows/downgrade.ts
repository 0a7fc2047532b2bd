import { isNewer, runningReleaseId } from '../../output/downgrade-text.ts';
import type { Listing, Release, Robot } from '../data/data.ts';
import type { FormField } from '../overlays/overlay.ts';
import { isSelector } from './targets.ts';

/** How many robots run a release of the kind that was created after this one. */
export const countNewer = (release: Release, releases: Listing<Release>, robots: readonly Robot[]): number =>
  robots.filter((robot) => {
    const running = releases.byId.get(runningReleaseId(robot, release.kind) ?? '');
    return running !== undefined && isNewer(running, release);
  }).length;

const allowed = 'allow';

/**
 * The fields for a rollout of an older release, which the service refuses otherwise: one of them is asked. It is not
 * known yet which robots match a selector.
 */
export const downgradeFields = (newer: (values: Readonly<Record<string, string>>) => number): FormField[] =>
  [
    { isOfOrg: false, hint: 'Robots run a newer release' },
    { isOfOrg: true, hint: 'Robots of the org run a newer release; the plan counts those that match' },
  ].map(({ isOfOrg, hint }) => ({
    name: 'downgrade',
    label: 'Downgrade',
    kind: 'choice',
    choices: [
      { value: '', text: 'refuse it' },
      { value: allowed, text: 'allow it' },
    ],
    hint,
    isAsked: (values) =>
      (values['policy'] ?? '') !== '' && isSelector(values['target'] ?? '') === isOfOrg && newer(values) > 0,
  }));

export const isDowngradeAllowed = (value: string | undefined): boolean => value === allowed;
