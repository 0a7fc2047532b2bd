import { apiOf, type AnyDeployment, type DeploymentRetry, type RetryCreate } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { humanize } from '../../output/deployment-format.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printObject } from '../shared.ts';
import { namedDeploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

/** `deployments retry` and `configs retry`. */
export async function retryOf<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  view: View<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { flags } = call;
  const [failedAs, attempts] = [flags.text('failed-as'), flags.integer('attempts')];
  const [backoff, reason] = [flags.text('backoff'), flags.text('reason')];
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  await confirmEffect(call, async () => {
    const { data } = (await operations.retries(api, id, failedAs)).body;
    return {
      title: `Retry deployment ${id}`,
      facts: [
        ['Retry', retriesText(data) || 'no robot'],
        ['Left out', excludedText(data) || undefined],
        ['Attempts', attempts === undefined ? undefined : `at most ${attempts}`],
        ['Begins', backoff === undefined ? undefined : `after ${backoff}, which doubles with each attempt`],
      ],
    };
  });
  const reply = await operations.retry(api, id, {
    ...(failedAs !== undefined && { reasons: failedAs.split(',') as NonNullable<RetryCreate['reasons']> }),
    ...(attempts !== undefined && { attempts }),
    ...(backoff !== undefined && { backoff }),
    ...(reason !== undefined && { reason }),
  });
  const { commands } = operations;
  const [made, all] = [`${commands.watch} ${reply.body.data.id}`, `${commands.retries} ${id}`];
  await printObject(call, reply, view, `Watch it: ${made} · all attempts: ${all}`);
}

/** `3 timed out` for each reason. */
const retriesText = ({ retries }: DeploymentRetry): string =>
  retries.map(({ robots, reason }) => `${robots} ${humanize(reason)}`).join(', ');

const excludedText = ({ excluded }: DeploymentRetry): string =>
  excluded.map(({ robots, code }) => `${robots} ${humanize(code)}`).join(', ');
