import { isNewer, runningReleaseId } from '../../output/downgrade-text.ts';
import type { Listing, Release, Robot } from '../data/data.ts';
import type { FormField } from '../overlays/overlay.ts';

/** How many robots run a release of the kind that was created after this one. */
export const countNewer = (release: Release, releases: Listing<Release>, robots: readonly Robot[]): number =>
  robots.filter((robot) => {
    const running = releases.byId.get(runningReleaseId(robot, release.kind) ?? '');
    return running !== undefined && isNewer(running, release);
  }).length;

const allowed = 'allow';

/** The field for a rollout of an older release: the service refuses it otherwise. */
export const downgradeField = (newer: (values: Readonly<Record<string, string>>) => number): FormField => ({
  name: 'downgrade',
  label: 'Downgrade',
  kind: 'choice',
  choices: [
    { value: '', text: 'refuse it' },
    { value: allowed, text: 'allow it' },
  ],
  hint: 'Robots run a newer release',
  isAsked: (values) => (values['policy'] ?? '') !== '' && newer(values) > 0,
});

export const isDowngradeAllowed = (value: string | undefined): boolean => value === allowed;
