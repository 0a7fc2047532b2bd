import { amount } from '../../output/units.ts';
import type { Release } from '../data/data.ts';
import type { Action, ActionContext } from './action.ts';

const releaseIn = ({ ui, selected }: ActionContext): Release | undefined =>
  selected === undefined ? undefined : ui.data.releases.get().value?.byId.get(selected);

/** Actions on a release that change nothing. */
export const releaseActions: readonly Action[] = [
  {
    id: 'releases.about',
    title: 'Notes and digest of the release',
    keys: ['i'],
    scope: ['releases'],
    rank: 12,
    disabledReason: (context) => (releaseIn(context) ? undefined : 'select a release first'),
    run(context) {
      const release = releaseIn(context);
      if (release) context.ui.overlay.set({ kind: 'text', title: release.tag, text: aboutOf(release) });
    },
  },
];

/** Details that do not fit in its row. */
function aboutOf({ kind, artifact_size: size, artifact_sha256: sha256, key_id: keyId, notes, ...release }: Release) {
  return [
    `${kind.replaceAll('_', ' ')}, ${amount(size)}, ${release.artifact_stored ? 'stored here' : 'not stored here'}`,
    `sha256 ${sha256}`,
    release.signature === undefined ? 'not signed' : `signed${keyId === undefined ? '' : ` with the key ${keyId}`}`,
    '',
    notes ?? 'No notes.',
  ].join('\n');
}
