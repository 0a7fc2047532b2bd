import { apiOf, type RolloutPolicy } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { usage } from '../../command-line/errors.ts';
import { approvalRuleText } from '../../output/approval-text.ts';
import { paceText } from '../../output/pace-text.ts';
import { abortText, advanceText, waveText } from '../../output/rollout-text.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printList } from '../lists.ts';
import { printObject } from '../shared.ts';
import { policyIdOf } from './policy-id.ts';
import { rolloutOf } from './rollout-flags.ts';

/** With the parts of the rollout as texts, which the API does not have. */
type Listed = RolloutPolicy &
  Partial<Record<'waves' | 'advance' | 'abort' | 'approval' | 'supersede' | 'pace', string>>;

const wavesOf = ({ rollout }: RolloutPolicy) => rollout.waves.map(waveText).join('; ');
const abortOf = ({ rollout }: RolloutPolicy) => rollout.abort.map(abortText).join('; ');

const view: View<Listed> = {
  columns: [
    { field: 'id', shown: 'wide' },
    { field: 'name', shown: 'table' },
    { field: 'waves', shown: 'table', value: wavesOf },
    { field: 'advance', shown: 'table', value: ({ rollout }) => advanceText(rollout.advance), dropped: 1 },
    { field: 'abort', shown: 'table', value: abortOf, dropped: 2 },
    { field: 'approval', shown: 'table', value: ({ rollout }) => approvalRuleText(rollout), dropped: 3 },
    { field: 'supersede', shown: 'wide', value: ({ rollout }) => rollout.supersede ?? 'replace' },
    { field: 'pace', shown: 'table', value: ({ rollout }) => paceText(rollout.pace), dropped: 3, late: true },
    { field: 'rollout', shown: 'asked' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'updated_at', header: 'CHANGED', shown: 'wide', time: true },
  ],
  name: ({ name }) => name,
};

export async function listPolicies(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  await printList<Listed>(call, {
    what: 'rollout policies',
    whenEmpty: 'Create one: cli policies create <name> --wave 10%',
    ask: (page) => api.get('/api/rollout-policies', { query: { ...page } }),
    view: () => view,
    sortedBy: ({ name }) => name,
    key: 'id',
  });
}

export async function showPolicy(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await policyIdOf(api, call.args[0] ?? '');
  await printObject(call, await api.get('/api/rollout-policies/{id}', { path: { id } }), view);
}

export async function createPolicy(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [name = ''] = call.args;
  const rollout = await rolloutOf(call);
  if (!rollout || rollout.waves.length === 0)
    throw usage('a rollout needs a wave', `Example: cli policies create ${name} --wave tier=canary --wave 10%`);
  const api = await apiOf(call);
  await printObject(call, await api.post('/api/rollout-policies', { body: { name, rollout } }), view, 'Created.');
}

export async function updatePolicy(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [text = ''] = call.args;
  const api = await apiOf(call);
  let id: string | undefined;
  const path = async () => ({ id: (id ??= await policyIdOf(api, text)) });
  const name = call.flags.text('name');
  const rollout = await rolloutOf(call, async () => {
    const reply = await api.get('/api/rollout-policies/{id}', { path: await path() });
    return reply.body.data.rollout;
  });
  if (name === undefined && !rollout)
    throw usage('nothing to change', 'Example: cli policies update careful --soak 1h');
  const body = { ...(name !== undefined && { name }), ...(rollout && { rollout }) };
  await printObject(
    call,
    await api.patch('/api/rollout-policies/{id}', { path: await path(), body }),
    view,
    'Changed.',
  );
}

export async function deletePolicy(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await policyIdOf(api, call.args[0] ?? '');
  await confirmEffect(call, async () => {
    const policy = (await api.get('/api/rollout-policies/{id}', { path: { id } })).body.data;
    return {
      title: `Delete rollout policy ${policy.name}`,
      facts: [
        ['Waves', wavesOf(policy)],
        ['Deployments', 'with it keep their rollout'],
      ],
    };
  });
  await printObject(call, await api.delete('/api/rollout-policies/{id}', { path: { id } }), view, 'Deleted.');
}
