import type { Config, ConfigRevision } from '../data/data.ts';
import type { Mutations } from '../data/mutations.ts';
import type { ActionContext } from '../actions/action.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { marksDisabledReason, selectedOf } from './selection.ts';
import { configValue, hasAllDigits } from './config-value.ts';
import { commandWords } from './command-line.ts';
import { deploymentPlan } from './deployment-plan.ts';
import { deploymentRequests } from './deployment-requests.ts';
import { chosenRollout, rolloutFields, type ChosenRollout } from './rollout.ts';
import { shownEntry } from './shown-entry.ts';
import { targetForm } from './target-form.ts';
import type { ShownTargets } from './targets.ts';
import { staleWarnings, whenLoaded } from './when-loaded.ts';

export type RequestBody = Omit<Parameters<Mutations['deployConfig']>[0], 'idempotencyKey'>;

const usualNamespace = 'default';
/** From the contract. */
const namespaceShape = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The entry under the cursor. */
export const chosenConfig = (context: ActionContext): Config | undefined =>
  selectedOf(context, context.ui.data.configs.get().value);

export function configDisabledReason(context: ActionContext): string | undefined {
  const config = chosenConfig(context);
  if (!config) return 'select an entry first';
  const digits = hasAllDigits(config.value)
    ? undefined
    : 'a number in it has too many digits for this form. Use: cli configs set';
  return marksDisabledReason(context) ?? digits;
}

export const namespaceFlag = (namespace: string) => (namespace === usualNamespace ? undefined : namespace);

const nameFields: readonly FormField[] = [
  {
    name: 'namespace',
    label: 'Namespace',
    kind: 'text',
    initial: usualNamespace,
    check: (value) => (namespaceShape.test(value) ? undefined : 'use lowercase letters, digits and ._-, at most 64'),
  },
  {
    name: 'key',
    label: 'Key',
    kind: 'text',
    hint: 'Example: nav.max_speed',
    check: (value) => (value.trim() === '' || value !== value.trim() ? 'a key is required' : undefined),
  },
];

/** Opens the form for an entry and its value; `config`: the entry to change. */
export function openSetConfig({ ui }: ActionContext, config?: Config): void {
  whenLoaded(ui, [ui.data.configs], () =>
    ui.overlay.set({
      kind: 'form',
      form: {
        title: config ? `Change ${config.key}` : 'Set a config entry',
        fields: [
          ...(config ? [] : nameFields),
          {
            name: 'value',
            label: 'Value',
            kind: 'text',
            initial: config ? JSON.stringify(config.value) : '',
            hint: config ? `JSON or text; in the namespace ${config.namespace}` : 'JSON or text',
            check(value) {
              const read = configValue(value);
              return 'fault' in read ? read.fault : undefined;
            },
          },
        ],
        submit: async ({ namespace = config?.namespace ?? '', key = config?.key ?? '', value: text = '' }) => {
          const read = configValue(text);
          return 'fault' in read ? undefined : setPlan(ui, { namespace, key, text, read });
        },
      },
    }),
  );
}

interface Change {
  namespace: string;
  key: string;
  text: string;
  read: { value: unknown; isText: boolean };
}

function setPlan(ui: Ui, { namespace, key, text, read }: Change): Plan {
  const { value, isText } = read;
  const entry = shownEntry(ui, { namespace, key });
  return {
    title: `Set ${key}`,
    get facts() {
      const before = entry.shown();
      return [
        { label: 'Entry', text: `${key} in the namespace ${namespace}` },
        { label: 'Was', text: before ? `${JSON.stringify(before.value)} (revision ${before.revision})` : 'not set' },
        { label: 'Becomes', text: `${JSON.stringify(value)}${isText ? ', text' : ''}` },
        { label: 'Robots', text: 'none yet; deploy it next' },
      ];
    },
    get warnings() {
      return staleWarnings(ui, [ui.data.configs]);
    },
    line: commandWords({ command: 'configs set', args: [key, text], flags: { namespace: namespaceFlag(namespace) } }),
    confirm: { kind: 'enter' },
    async run() {
      const before = entry.shown()?.revision ?? 'none';
      const { revision } = await entry.during(() => ui.mutations.setConfig({ namespace, key, value, before }));
      return `Set ${key}: revision ${revision}. Deploy it to send it to robots.`;
    },
  };
}

/** Opens the form for entry and target, then shows the plan. */
export function openDeployConfig(context: ActionContext): void {
  const { ui } = context;
  const { data } = ui;
  const lists = [data.configs, data.robots, data.fleets, data.sites, data.rolloutPolicies] as const;
  whenLoaded(ui, lists, (configs, robots, fleets, sites, policies) => {
    const target = targetForm(ui, { robots, fleets, sites }, { robots: [] });
    const initial = chosenConfig(context);
    const requestOf = deploymentRequests<RequestBody>();
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'Deploy a config entry',
        fields: [
          {
            name: 'config',
            label: 'Entry',
            kind: 'choice',
            choices: configs.items.map(({ id, key, namespace, revision }) => ({
              value: id,
              text: `${key} (${namespace}, revision ${revision})`,
            })),
            ...(initial && { initial: initial.id }),
            check: (value) => (value === '' ? 'there is no entry yet' : undefined),
          },
          ...target.fields,
          ...rolloutFields(policies),
        ],
        submit: async (values) => {
          const config = (ui.data.configs.get().value ?? configs).byId.get(values['config'] ?? '');
          const rollout = chosenRollout(ui, policies, values);
          if (!config) return undefined;
          return deployPlan(ui, { config, target: await target.read(values), rollout, requestOf });
        },
      },
    });
  });
}

interface ConfigPlan {
  config: Config;
  target: ShownTargets;
  rollout: ChosenRollout;
  requestOf: ReturnType<typeof deploymentRequests<RequestBody>>;
  /** An earlier revision; undefined: the newest. */
  older?: Pick<ConfigRevision, 'revision' | 'value'>;
}

export function deployPlan(ui: Ui, { config, target, rollout, requestOf, older }: ConfigPlan): Plan {
  const { id: configId, key, namespace } = config;
  const entry = shownEntry(ui, config);
  const shown = () => entry.shown() ?? config;
  return deploymentPlan<RequestBody>(ui, {
    what: key,
    get facts() {
      const { revision, value } = older ?? shown();
      return [
        { label: 'Entry', text: `${key} in the namespace ${namespace}, revision ${revision}` },
        { label: 'Value', text: JSON.stringify(value) },
      ];
    },
    target,
    running(robot) {
      const reported = robot.reported.configs[`${namespace}/${key}`];
      return reported && `revision ${reported.revision}`;
    },
    when: 'now',
    rollout,
    shownOf: [ui.data.robots, ui.data.configs, ui.data.rolloutPolicies],
    line: (flag) =>
      commandWords({
        command: 'configs deploy',
        args: [key],
        flags: { ...flag, namespace: namespaceFlag(namespace), revision: older?.revision },
      }),
    requestOf,
    bodyOf: (each) => ({
      configId,
      target: each,
      policyId: rollout.policyId,
      isUrgent: rollout.isUrgent,
      ignoresWindows: rollout.ignoresWindows,
      ...(older ? { revision: older.revision } : { expected: { namespace, key, revision: shown().revision } }),
    }),
    kind: 'config',
    send: (body) => entry.during(() => ui.mutations.deployConfig(body)),
  });
}
