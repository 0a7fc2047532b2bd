import { apiOf, type AnyDeployment } from '../../api/api.ts';
import type { Invocation, Run } from '../../command-line/command-spec.ts';
import { humanize, isTerminal } from '../../output/deployment-format.ts';
import { resumeEffect } from '../../output/wave-text.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printObject } from '../shared.ts';
import { namedDeploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { decideOf } from './deployments-approval.ts';
import { retryOf } from './deployments-retry.ts';
import { rollBackOf } from './deployments-rollback.ts';
import { setWavesOf, skipOf } from './deployments-wave-changes.ts';

/** The commands that control a deployment, which is then shown with this view. */
export const controlsOf = <D extends AnyDeployment>(operations: DeploymentOperations<D>, view: View<D>) =>
  ({
    approve: (call) => decideOf(call, operations, 'approve'),
    reject: (call) => decideOf(call, operations, 'reject'),
    pause: (call) => control(call, operations, 'pause', view),
    resume: (call) => control(call, operations, 'resume', view),
    advance: (call) => control(call, operations, 'advance', view),
    skip: (call) => skipOf(call, operations, view),
    waves: (call) => setWavesOf(call, operations, view),
    retry: (call) => retryOf(call, operations, view),
    rollback: (call) => rollBackOf(call, operations),
    cancel: (call) => cancel(call, operations, view),
  }) satisfies Record<string, Run>;

async function cancel<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  view: View<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  await confirmEffect(call, async () => {
    const { status, counts } = (await operations.get(api, id)).body.data;
    const { total, applied, waiting, failed, rolled_back: rolledBack, cancelled } = counts;
    const working = total - applied - waiting - failed - rolledBack - cancelled;
    return {
      title: `Cancel deployment ${id} (${humanize(status)})`,
      facts: [
        ['Not begun', `${waiting} of ${total} robots, which do not receive it`],
        ['Working', working === 0 ? undefined : `${working}, which are asked to stop`],
        ['Applied', applied === 0 ? undefined : `${applied}, which keep it`],
      ],
    };
  });
  const reply = await operations.cancel(api, id);
  const done = isTerminal(reply.body.data.status)
    ? 'Cancelled before any robot received it.'
    : `Robots that have it are asked to stop; one that is already installing may still apply it. Watch it: ${operations.commands.watch} ${id}`;
  await printObject(call, reply, view, done);
}

async function control<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  to: 'pause' | 'resume' | 'advance',
  view: View<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  const reason = call.flags.text('reason');
  const reply = await operations[to](api, id, reason === undefined ? {} : { reason });
  const { commands } = operations;
  const done = {
    pause: `No other robot receives it; those that have it finish it. Continue: ${commands.resume} ${id}`,
    resume: `${resumeEffect(reply.body.data)} Watch it: ${commands.watch} ${id}`,
    advance: `The next wave begins. Watch it: ${commands.watch} ${id}`,
  };
  await printObject(call, reply, view, done[to]);
}
