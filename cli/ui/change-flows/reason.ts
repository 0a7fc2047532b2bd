import type { ActionContext } from '../actions/action.ts';
import type { Plan } from '../overlays/overlay.ts';

/** From the contract. */
const maxReason = 500;

/** Opens a form for the reason of a change, which may stay empty; then its plan. */
export function askForReason(
  { ui }: ActionContext,
  title: string,
  planFor: (reason: string | undefined) => Plan | Promise<Plan>,
): void {
  ui.overlay.set({
    kind: 'form',
    form: {
      title,
      fields: [
        {
          name: 'reason',
          label: 'Reason',
          kind: 'text',
          hint: 'For colleagues; may be empty',
          check: (value) => (value.trim().length > maxReason ? `at most ${maxReason} characters` : undefined),
        },
      ],
      submit: async ({ reason = '' }) => planFor(reason.trim() === '' ? undefined : reason.trim()),
    },
  });
}
