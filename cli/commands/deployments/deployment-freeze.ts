import { apiOf, type Api, type DeploymentFreeze } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { freezeEffect, freezeText, heldText, ordersText } from '../../output/freeze-text.ts';
import { safeText } from '../../output/safe.ts';
import { answeredFieldsHelp, isForPeople, type View } from '../../output/view.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printObject } from '../shared.ts';

const view: View<DeploymentFreeze> = {
  columns: [
    { field: 'frozen', shown: 'table' },
    { field: 'held', shown: 'table' },
    { field: 'robots_with_orders', header: 'WITH ORDERS', shown: 'table' },
    { field: 'frozen_at', header: 'SINCE', shown: 'table', time: true },
    { field: 'frozen_by', header: 'BY', shown: 'table' },
    { field: 'reason', shown: 'table' },
  ],
  name: ({ frozen }) => (frozen ? 'frozen' : 'not frozen'),
};

const read = (api: Api) => api.get('/api/deployment-freeze', {});

export async function freezeDeployments(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const reason = call.flags.text('reason') ?? ''; // the flag is required
  const api = await apiOf(call);
  await confirmEffect(call, async () => {
    const { data } = (await read(api)).body;
    return {
      title: 'Freeze all deployments of the org',
      facts: [
        ['Now', freezeText(data)],
        ['Effect', freezeEffect],
        ['Orders', ordersText(data) ?? 'No robot has one'],
        ['Except', 'Rollbacks'],
      ],
    };
  });
  const reply = await api.put('/api/deployment-freeze', { body: { reason } });
  const { data } = reply.body;
  const orders = ordersText(data);
  const done = `Holds ${heldText(data)}. Release them: cli deployments thaw`;
  await printObject(call, reply, view, orders === undefined ? done : `${done}. ${orders}`);
}

export async function thawDeployments(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const reason = call.flags.text('reason');
  const api = await apiOf(call);
  await confirmEffect(call, async () => {
    const { data } = (await read(api)).body;
    return {
      title: 'Thaw all deployments of the org',
      facts: [
        ['Now', freezeText(data) ?? 'not frozen'],
        ['Effect', data.frozen ? `${heldText(data)} continue, each as it was` : 'none'],
      ],
    };
  });
  const reply = await api.delete('/api/deployment-freeze', { query: { reason } });
  await printObject(call, reply, view, 'Deployments continue. Those that were paused before stay paused.');
}

/** Says below a list of deployments that they are frozen. */
export async function noteFreeze(call: Invocation, api: Api): Promise<void> {
  if (!isForPeople(call)) return;
  const text = freezeText((await read(api)).body.data);
  if (text !== undefined) call.io.note(safeText(`All deployments are ${text}. Release them: cli deployments thaw`));
}
