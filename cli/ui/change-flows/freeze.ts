import { freezeEffect, freezeText, heldText, ordersText } from '../../output/freeze-text.ts';
import type { DeploymentFreeze, Whoami } from '../data/data.ts';
import type { Action } from '../actions/action.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { commandWords } from './command-line.ts';
import { textIn } from './field-checks.ts';
import { askForReason, reasonField } from './reason.ts';
import { typedConfirmation } from './typed-confirmation.ts';
import { staleWarnings, whenLoaded } from './when-loaded.ts';

type Flow = Required<Pick<Action, 'run'>> & Pick<Action, 'disabledReason'>;

/** The freeze as known now; `before`: as the form was opened with. */
const known = ({ data }: Ui, before: DeploymentFreeze) => data.freeze.get().value ?? before;

function freezePlan(ui: Ui, before: DeploymentFreeze, { org }: Whoami, reason: string): Plan {
  return {
    title: 'Freeze all deployments of the org',
    get facts() {
      const now = known(ui, before);
      return [
        { label: 'Org', text: org.name },
        { label: 'Now', text: freezeText(now) ?? 'not frozen' },
        { label: 'Orders', text: ordersText(now) ?? 'no robot has one' },
        { label: 'Except', text: 'rollbacks' },
        { label: 'Reason', text: reason },
      ];
    },
    get warnings() {
      return [freezeEffect, ...staleWarnings(ui, [ui.data.freeze])];
    },
    line: commandWords({ command: 'deployments freeze', flags: { reason } }),
    confirm: typedConfirmation(ui, org.name, 'freeze'),
    isRepeatable: true,
    async run() {
      return `Holding ${heldText(await ui.mutations.freezeDeployments(reason))}.`;
    },
  };
}

function thawPlan(ui: Ui, before: DeploymentFreeze, { org }: Whoami, reason: string | undefined): Plan {
  return {
    title: 'Thaw all deployments of the org',
    get facts() {
      const now = known(ui, before);
      return [
        { label: 'Org', text: org.name },
        { label: 'Now', text: freezeText(now) ?? 'not frozen' },
        { label: 'Held', text: heldText(now) },
        { label: 'Reason', text: reason ?? 'none' },
      ];
    },
    get warnings() {
      return [
        'Deployments continue, each as it was. Those that were paused before stay paused.',
        ...staleWarnings(ui, [ui.data.freeze]),
      ];
    },
    line: commandWords({ command: 'deployments thaw', flags: { reason } }),
    confirm: typedConfirmation(ui, org.name, 'thaw'),
    isRepeatable: true,
    async run() {
      await ui.mutations.thawDeployments(reason);
      return 'Deployments continue.';
    },
  };
}

/** The part of an action that holds all deployments of the org, or changes the reason. */
export const freezeFlow: Flow = {
  run({ ui }) {
    whenLoaded(ui, [ui.data.freeze, ui.data.whoami], (freeze, who) =>
      ui.overlay.set({
        kind: 'form',
        form: {
          title: 'Freeze all deployments',
          fields: [
            {
              ...reasonField,
              hint: 'For colleagues; lists and events show it',
              check: (value) => (value.trim() === '' ? 'a reason is required' : reasonField.check?.(value)),
            },
          ],
          submit: async ({ reason }) => freezePlan(ui, freeze, who, textIn(reason) ?? ''),
        },
      }),
    );
  },
};

/** The part of an action that releases them. */
export const thawFlow: Flow = {
  disabledReason: ({ ui }) => (ui.data.freeze.get().value?.frozen === false ? 'deployments are not frozen' : undefined),
  run(context) {
    const { ui } = context;
    whenLoaded(ui, [ui.data.freeze, ui.data.whoami], (freeze, who) =>
      askForReason(context, 'Thaw all deployments', (reason) => thawPlan(ui, freeze, who, reason)),
    );
  },
};
