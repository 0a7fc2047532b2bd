import { rolloutFacts } from '../../output/rollout-facts.ts';
import { waveText } from '../../output/rollout-text.ts';
import type { Listing, RolloutPolicy } from '../data/data.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import { byName } from '../table/by-name.ts';
import type { Ui } from '../ui.ts';
import { nameOrId } from './command-line.ts';
import { isFleet } from './targets.ts';

/** The rollout of a deployment: by one of the org's policies. */
export interface ChosenRollout {
  /** Undefined: all robots receive the deployment at once. */
  policyId: string | undefined;
  /** As a flag of `cli`. */
  flag: { policy: string | undefined };
  /** Of the plan, with the policy as known now. */
  facts: () => Plan['facts'];
}

const allAtOnce = '';

/** The field for the policy, if the org has any; asked only for fleets. */
export const policyField = ({ items }: Listing<RolloutPolicy>): readonly FormField[] =>
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
          isAsked: ({ target = '' }) => isFleet(target),
        },
      ];

/** The rollout for the field's value; `before`: the policies with which the form was opened. */
export function chosenRollout({ data }: Ui, before: Listing<RolloutPolicy>, value: string | undefined): ChosenRollout {
  const policyId = value === undefined || value === allAtOnce ? undefined : value;
  const policies = () => data.rolloutPolicies.get().value ?? before;
  return {
    policyId,
    flag: { policy: policyId && nameOrId(policies().items, policyId) },
    facts() {
      const policy = policyId === undefined ? undefined : policies().byId.get(policyId);
      return policy
        ? rolloutFacts(policy).flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]))
        : [];
    },
  };
}
