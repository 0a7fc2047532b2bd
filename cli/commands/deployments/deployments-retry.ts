import { apiOf, type AnyDeployment, type RetryCreate } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { attemptsText, leftOutText, retriedText, retryWarning } from '../../output/retry-text.ts';
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
        ['Retry', retriedText(data) || 'no robot'],
        ['Left out', leftOutText(data) || undefined],
        ['Attempts', attemptsText(attempts ?? 1, backoff ?? '0s')],
        ['Warning', retryWarning],
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
  const [made, all] = [
    `${commands.watch} ${reply.body.data.id}`,
    `${commands.retries} ${reply.body.data.retry_of ?? id}`,
  ];
  await printObject(call, reply, view, `Watch it: ${made} · all attempts: ${all}`);
}
