import type { Api, DeploymentPlan } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { usage } from '../../command-line/errors.ts';
import { bothTimes } from '../../output/time.ts';
import { confirmEffect } from '../effects/effect.ts';
import { planFacts } from '../../output/plan-text.ts';

/** Flags of what a plan has. */
const planned = [
  'robot',
  'fleet',
  'selector',
  'dynamic-until',
  'policy',
  'ignore-windows',
  'kind',
  'revision',
  'namespace',
  'allow-downgrade',
];
/** A signature names the target; with a plan it is passed as `--signature`. */
const signing = ['sign', 'sign-artifact'];

/** The ID of `--plan`; undefined without it. @throws usage error beside what the plan has */
export function planIdOf({ args, flags, command }: Invocation): string | undefined {
  const id = flags.text('plan');
  const [argument] = command.arguments ?? [];
  if (id === undefined) {
    if (args.length > 0) return undefined;
    throw usage(`missing argument <${argument?.name ?? ''}>`, `Show usage with: cli help ${command.path}`);
  }
  if (args.length > 0) throw usage(`--plan and <${argument?.name ?? ''}> exclude each other`, 'The plan has it');
  for (const name of [...planned, ...signing])
    if (flags.has(name) && flags.isGiven(name))
      throw usage(
        `--plan and --${name} exclude each other`,
        signing.includes(name) ? 'Pass the signature with --signature and --key-id' : 'The plan has it',
      );
  if (flags.on('dry-run')) throw usage('--plan and --dry-run exclude each other', `Show it with: cli plans show ${id}`);
  return id;
}

/** Reads the plan, and asks before it is executed unless it has exactly one robot. */
export async function confirmPlan(
  call: Invocation,
  api: Api,
  id: string,
  scheduledAt: string | undefined,
): Promise<DeploymentPlan> {
  const plan = (await api.get('/api/deployment-plans/{id}', { path: { id } })).body.data;
  await confirmEffect(call, () => ({
    title: `Execute plan ${id}`,
    facts: [...planFacts(plan), ['Start', scheduledAt === undefined ? 'now' : bothTimes(scheduledAt)]],
    asks: plan.counts.robots !== 1,
  }));
  return plan;
}
