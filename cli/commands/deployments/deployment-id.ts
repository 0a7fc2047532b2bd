import type { AnyDeployment, Api } from '../../api/api.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { latestWord, shortId } from '../../command-line/id.ts';
import { wholeIdOf } from '../../api/short-ids.ts';
import { humanize } from '../../output/deployment-format.ts';
import { safeText } from '../../output/safe.ts';
import { relativeTime } from '../../output/time.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { namesOf, targetText } from '../name-lookup.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

/** The id of the deployment of a line: as typed, by its end, or of the latest one, which stderr then names. */
export async function deploymentIdOf<D extends AnyDeployment>(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations<D>,
): Promise<string> {
  const [text = ''] = call.args;
  if (text !== latestWord) return wholeIdOf(api, operations.kind, text);
  const newest = await operations.newest(api);
  if (newest) {
    const names = await namesOf(api, operations.references(newest));
    const target = `${newest.target_kind} ${targetText(newest, names)}`;
    const what = `${operations.subject(newest, names)} to ${target}`;
    const state = `${humanize(newest.status)}, created ${relativeTime(newest.created_at)}`;
    call.io.note(safeText(`${latestWord} is ${shortId(newest.id)}: ${what}, ${state}`));
    return newest.id;
  }
  throw new CliError(`there is no ${operations.kind} yet`, {
    code: 'not_found',
    exit: exitCode.notFound,
    hint: `Create one: ${operations.commands.create}`,
  });
}

/** The same for a change: between reading the list and typing, another person may have created the latest one. */
export async function namedDeploymentIdOf<D extends AnyDeployment>(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations<D>,
): Promise<string> {
  const { command, args } = call;
  if (args[0] === latestWord)
    throw usage(
      `${command.path} does not accept "${latestWord}"`,
      `Show its ID with: ${operations.commands.show} latest`,
    );
  return deploymentIdOf(call, api, operations);
}
