import type { Api, RolloutPolicy } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { usage } from '../../command-line/errors.ts';
import { policyOf } from './policy-id.ts';

/** Throws a usage error for `--policy` without several robots; `kind`: of the target, undefined without one. */
export function checkPolicyFlag({ flags }: Invocation, kind: string | undefined): void {
  if (flags.text('policy') === undefined) return;
  if (kind === 'robot') throw usage('--policy requires --fleet or --selector', 'Omit --policy: one robot is one wave');
  if (kind === undefined)
    throw usage('--policy requires --fleet or --selector', 'Add --fleet <fleet> or --selector <selector>');
}

/** The policy of `--policy`; undefined without it. @throws CliError if there is none */
export async function flaggedPolicy({ flags }: Invocation, api: Api): Promise<RolloutPolicy | undefined> {
  const text = flags.text('policy');
  return text === undefined ? undefined : await policyOf(api, text);
}
