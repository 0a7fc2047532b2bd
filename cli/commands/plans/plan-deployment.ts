import type { Api, DeploymentPlanCreate } from '../../api/api.ts';
import { isDryRun } from '../../command-line/dry-run.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { shellWord } from '../../command-line/shell-word.ts';
import { checkStart } from '../effects/deployment-effect.ts';
import { printPlan } from './plans.ts';

/**
 * With `--dry-run`, plans the deployment and prints the plan: the service knows its robots and waves best. Returns
 * whether that was so.
 * @throws CliError as `checkStart`
 */
export async function plannedInstead(
  call: Invocation,
  api: Api,
  body: DeploymentPlanCreate,
  scheduledAt: string | undefined,
): Promise<boolean> {
  if (!isDryRun(call)) return false;
  checkStart(scheduledAt);
  const reply = await api.post('/api/deployment-plans', { body });
  await printPlan(call, api, reply);
  const line = `cli ${call.command.path} --plan ${reply.body.data.id}${givenFlags(call, scheduledAt)}`;
  call.io.note(`Dry run: nothing was deployed. Deploy it with: ${line}`);
  if (call.flags.text('sign') !== undefined)
    call.io.note('--sign cannot be used with a plan: replace <base64> and <id> with a signature and its key.');
  return true;
}

/** Flags without a value that a plan does not have. */
const switches = ['urgent', 'ignore-gates', 'allow-ungated'];

/** The flags of the call that a plan does not have: without them, the line would do something else. */
function givenFlags({ flags }: Invocation, scheduledAt: string | undefined): string {
  const minutes = flags.integer('active-minutes');
  const isSigned = flags.text('sign') !== undefined;
  const given: [string, string | undefined][] = [
    ['scheduled-at', scheduledAt],
    ['active-minutes', minutes === undefined ? undefined : String(minutes)],
    ['signature', isSigned ? undefined : flags.text('signature')],
    ['key-id', isSigned ? undefined : flags.text('key-id')],
  ];
  const words = given.flatMap(([name, text]) => (text === undefined ? [] : [` --${name} ${shellWord(text)}`]));
  const on = switches.filter((name) => flags.on(name)).map((name) => ` --${name}`);
  return [...words, ...on].join('') + (isSigned ? ' --signature <base64> --key-id <id>' : '');
}
