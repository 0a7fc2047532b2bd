import type { ActionContext } from '../actions/action.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import { textIn } from './field-checks.ts';

/** From the contract. */
const maxReason = 500;

/** For the reason of a change, which may stay empty. */
export const reasonField: FormField = {
  name: 'reason',
  label: 'Reason',
  kind: 'text',
  hint: 'For colleagues; may be empty',
  check: (value) => (value.trim().length > maxReason ? `at most ${maxReason} characters` : undefined),
};

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
      fields: [reasonField],
      submit: async ({ reason }) => planFor(textIn(reason)),
    },
  });
}
