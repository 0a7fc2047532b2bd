import { apiOf, type AnyDeployment, type DeploymentWave } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { parseWave } from '../../output/rollout-text.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import {
  firstToChange,
  newWavesText,
  waveToSkip,
  wavesNowText,
  wavesOf,
  waveSizes,
  waitingIn,
} from '../../output/wave-text.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printObject } from '../shared.ts';
import { namedDeploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

/** `deployments skip` and `configs skip`. */
export async function skipOf<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  view: View<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  const read = async () => (await operations.get(api, id)).body.data;
  const wave = call.flags.integer('wave') ?? waveToSkip(await read());
  await confirmEffect(call, async () => {
    const waves = (await read()).rollout?.waves ?? [];
    const counts = waves.find(({ number }) => number === wave)?.counts;
    const working = counts ? counts.total - counts.waiting - counts.applied - counts.cancelled - failedOf(counts) : 0;
    return {
      title: `Skip wave ${wave} of ${waves.length} of deployment ${id}`,
      facts: [
        ['Not begun', counts && `${counts.waiting} of ${counts.total} robots, which do not receive it`],
        ['Working', working === 0 ? undefined : `${working}, which finish it`],
        ['Applied', counts && counts.applied > 0 ? `${counts.applied}, which keep it` : undefined],
      ],
    };
  });
  const reason = call.flags.text('reason');
  const reply = await operations.skip(api, id, { wave, ...(reason !== undefined && { reason }) });
  const { watch } = operations.commands;
  await printObject(call, reply, view, `Robots of wave ${wave} that wait do not receive it. Watch it: ${watch} ${id}`);
}

const failedOf = ({ failed, rolled_back: rolledBack }: NonNullable<DeploymentWave['counts']>) => failed + rolledBack;

/** `deployments waves` and `configs waves`. */
export async function setWavesOf<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  view: View<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const waves = call.flags.texts('wave').map(parseWave);
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  const read = async () => (await operations.get(api, id)).body.data;
  const from = call.flags.integer('from') ?? firstToChange(await read());
  await confirmEffect(call, async () => {
    const before = wavesOf(await read(), from);
    return {
      title: `Change the waves of deployment ${id} from wave ${from} on`,
      facts: [
        ['Robots', `${waitingIn(before)} that wait are assigned again`],
        ['Now', wavesNowText(before)],
        ['New', newWavesText(waves)],
      ],
    };
  });
  const reason = call.flags.text('reason');
  const reply = await operations.setWaves(api, id, { from, waves, ...(reason !== undefined && { reason }) });
  const sizes = waveSizes(wavesOf(reply.body.data, from));
  await printObject(call, reply, view, `Robots by wave: ${sizes}. Watch it: ${operations.commands.watch} ${id}`);
}
