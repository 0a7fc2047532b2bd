import type { Action, ActionContext } from '../actions/action.ts';
import type { Release } from '../data/data.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { commandWords } from './command-line.ts';
import { marksDisabledReason, selectedOf } from './selection.ts';

type Flow = Required<Pick<Action, 'disabledReason' | 'run' | 'line'>>;

const chosen = (context: ActionContext): Release | undefined =>
  selectedOf(context, context.ui.data.releases.get().value);

/** The part of an action that archives the release under the cursor, or makes it available again. */
function flowOf(archived: boolean): Flow {
  const lineOf = ({ id }: Release) =>
    commandWords({ command: archived ? 'releases archive' : 'releases unarchive', args: [id] });
  return {
    disabledReason(context) {
      const release = chosen(context);
      if (!release) return 'select a release first';
      const isArchived = release.archived_at !== undefined;
      const already = isArchived ? 'already archived' : 'not archived';
      return marksDisabledReason(context) ?? (isArchived === archived ? already : undefined);
    },
    run(context) {
      const release = chosen(context);
      if (release)
        context.ui.overlay.set({ kind: 'plan', plan: planOf(context.ui, release, archived, lineOf(release)) });
    },
    line(context) {
      const release = chosen(context);
      return release && lineOf(release);
    },
  };
}

function planOf(ui: Ui, { id, tag, kind }: Release, archived: boolean, line: readonly string[]): Plan {
  return {
    title: archived ? `Archive ${tag}` : `Make ${tag} available again`,
    facts: [
      { label: 'Release', text: `${tag} (${kind})` },
      { label: 'Robots', text: 'no change: those that run it keep it' },
    ],
    warnings: archived ? ['New deployments of it are refused. Deployments that exist continue.'] : [],
    line,
    confirm: { kind: 'enter' },
    async run() {
      await ui.mutations.archiveRelease(id, archived);
      return archived ? `Archived ${tag}.` : `${tag} can be deployed again.`;
    },
  };
}

export const archiveFlow = flowOf(true);
export const unarchiveFlow = flowOf(false);
