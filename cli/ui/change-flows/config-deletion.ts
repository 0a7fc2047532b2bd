import type { ActionContext } from '../actions/action.ts';
import type { Config } from '../data/data.ts';
import { shortId } from '../../command-line/id.ts';
import { isTerminal } from '../../output/deployment-format.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { commandWords } from './command-line.ts';
import { chosenConfig, namespaceFlag } from './configs.ts';
import { marksDisabledReason } from './selection.ts';
import { typedConfirmation } from './typed-confirmation.ts';
import { staleWarnings, whenLoaded } from './when-loaded.ts';

export const entryDisabledReason = (context: ActionContext): string | undefined =>
  marksDisabledReason(context) ?? (chosenConfig(context) ? undefined : 'select an entry first');

export function deleteConfigCommand(context: ActionContext): readonly string[] | undefined {
  const config = chosenConfig(context);
  return config && lineOf(config, false);
}

const lineOf = ({ namespace, key }: Config, cancels: boolean) =>
  commandWords({
    command: 'configs delete',
    args: [key],
    flags: { namespace: namespaceFlag(namespace), 'cancel-deployments': cancels ? true : undefined },
  });

export function openDeleteConfig(context: ActionContext): void {
  const { ui } = context;
  const config = chosenConfig(context);
  if (!config) return;
  whenLoaded(ui, [ui.data.configDeployments], ({ items }) => {
    const active = items.filter(({ config_id: id, status }) => id === config.id && !isTerminal(status)).length;
    ui.overlay.set({ kind: 'plan', plan: deletionPlan(ui, config, active) });
  });
}

function deletionPlan(ui: Ui, config: Config, active: number): Plan {
  const { id, namespace, key, value, revision } = config;
  const deployments = active === 1 ? '1 active deployment' : `${active} active deployments`;
  return {
    title: `Delete ${key}`,
    facts: [
      { label: 'Entry', text: `${key} in the namespace ${namespace}` },
      { label: 'Value', text: `${JSON.stringify(value)} (revision ${revision})` },
      { label: 'Deployments', text: active === 0 ? 'none active' : `${deployments}, to be cancelled` },
    ],
    get warnings() {
      return [
        'Robots that have the value keep it. Robots that enroll later do not get it.',
        ...staleWarnings(ui, [ui.data.configDeployments]),
      ];
    },
    line: lineOf(config, active > 0),
    confirm: typedConfirmation(ui, key, shortId(id)),
    async run() {
      await ui.mutations.deleteConfig(id, active > 0);
      return `Deleted ${key}. Setting it again restores it.`;
    },
  };
}
