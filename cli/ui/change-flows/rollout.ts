import { paceText } from '../../output/pace-text.ts';
import { rolloutFacts } from '../../output/rollout-facts.ts';
import { waveText } from '../../output/rollout-text.ts';
import type { Listing, RolloutPolicy } from '../data/data.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import { byName } from '../table/by-name.ts';
import type { Ui } from '../ui.ts';
import { nameOrId } from './command-line.ts';
import { takesRollout } from './targets.ts';

/** The rollout of a deployment: by one of the org's policies. */
export interface ChosenRollout {
  /** Undefined: all robots receive the deployment at once. */
  policyId: string | undefined;
  /** Whether its pace is ignored; undefined: it applies. */
  isUrgent: true | undefined;
  /** Whether its windows are ignored; undefined: they apply. */
  ignoresWindows: true | undefined;
  /** As flags of `cli`. */
  flag: { policy: string | undefined; urgent: true | undefined; 'ignore-windows': true | undefined };
  /** Of the plan, with the policy as known now. */
  facts: () => Plan['facts'];
}

const allAtOnce = '';

const hasPace = (policy: RolloutPolicy | undefined) => paceText(policy?.rollout.pace) !== '';

/** The fields of the policy, if the org has any, of its pace and of its windows; asked only for fleets and selectors. */
export const rolloutFields = ({ items, byId }: Listing<RolloutPolicy>): readonly FormField[] =>
  items.length === 0
    ? []
    : [
        {
          name: 'policy',
          label: 'Rollout',
          kind: 'choice',
          choices: [
            { value: allAtOnce, text: 'all robots at once' },
            ...byName<RolloutPolicy>(({ name }) => name)(items).map(({ id, name, rollout }) => ({
              value: id,
              text: `${name} (${rollout.waves.map(waveText).join('; ')})`,
            })),
          ],
          hint: 'In waves, by a rollout policy',
          isAsked: ({ target = '' }) => takesRollout(target),
        },
        {
          name: 'urgent',
          label: 'Pace',
          kind: 'choice',
          choices: [
            { value: '', text: 'as the policy has it' },
            { value: 'urgent', text: 'urgent: ignore the pace' },
          ],
          hint: 'Waves, abort rules and budgets apply',
          isAsked: ({ policy = allAtOnce }) => hasPace(byId.get(policy)),
        },
        {
          name: 'windows',
          label: 'Windows',
          kind: 'choice',
          choices: [
            { value: '', text: 'as the policy has them' },
            { value: 'ignore', text: 'ignore them' },
          ],
          hint: 'Robots that wait for a window start too',
          isAsked: ({ policy = allAtOnce }) => byId.get(policy)?.rollout.windows !== undefined,
        },
      ];

/** The rollout for the values of these fields; `before`: the policies with which the form was opened. */
export function chosenRollout(
  { data }: Ui,
  before: Listing<RolloutPolicy>,
  { policy = allAtOnce, urgent, windows }: Readonly<Record<string, string>>,
): ChosenRollout {
  const policyId = policy === allAtOnce ? undefined : policy;
  const isUrgent = urgent === 'urgent' || undefined;
  const ignoresWindows = windows === 'ignore' || undefined;
  const policies = () => data.rolloutPolicies.get().value ?? before;
  return {
    policyId,
    isUrgent,
    ignoresWindows,
    flag: {
      policy: policyId && nameOrId(policies().items, policyId),
      urgent: isUrgent,
      'ignore-windows': ignoresWindows,
    },
    facts() {
      const chosen = policyId === undefined ? undefined : policies().byId.get(policyId);
      if (!chosen) return [];
      return rolloutFacts(chosen, { isUrgent, ignoresWindows }).flatMap(([label, text]) =>
        text === undefined ? [] : [{ label, text }],
      );
    },
  };
}
