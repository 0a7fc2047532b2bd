import { apiOf, type Api, type DisruptionBudget } from '../../api/api.ts';
import { idAmong } from '../../api/listed-names.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { usage } from '../../command-line/errors.ts';
import { isId } from '../../command-line/id.ts';
import { limitText } from '../../output/budget-text.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printList } from '../lists.ts';
import { printObject } from '../shared.ts';
import { budgetOf } from './budget-flags.ts';

/** With its groups and its limit as texts, which the API does not have. */
type Listed = DisruptionBudget & { by?: string; limit?: string };

const view: View<Listed> = {
  columns: [
    { field: 'id', shown: 'wide' },
    { field: 'name', shown: 'table' },
    { field: 'limit', shown: 'table', value: limitText },
    { field: 'by', shown: 'table', value: ({ group_by: keys }) => keys.join(',') },
    { field: 'selector', shown: 'table', dropped: 1 },
    { field: 'group_by', shown: 'asked' },
    { field: 'max_unavailable', shown: 'asked' },
    { field: 'min_available', shown: 'asked' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'updated_at', header: 'CHANGED', shown: 'wide', time: true },
  ],
  name: ({ name }) => name,
};

/** ID of the budget with this ID, name or short ID. @throws CliError if there is none */
async function budgetIdOf(api: Api, text: string): Promise<string> {
  if (isId(text)) return text;
  return await idAmong(api, 'disruption budget', text, (await api.get('/api/disruption-budgets', {})).body.items);
}

export async function listBudgets(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  await printList<Listed>(call, {
    what: 'disruption budgets',
    whenEmpty: 'Create one: cli budgets create <name> --max-unavailable 10%',
    ask: (page) => api.get('/api/disruption-budgets', { query: { ...page } }),
    view: () => view,
    sortedBy: ({ name }) => name,
    key: 'id',
  });
}

export async function showBudget(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await budgetIdOf(api, call.args[0] ?? '');
  await printObject(call, await api.get('/api/disruption-budgets/{id}', { path: { id } }), view);
}

export async function createBudget(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [name = ''] = call.args;
  const settings = budgetOf(call);
  if (!settings.max_unavailable && !settings.min_available)
    throw usage(
      'a budget needs --max-unavailable or --min-available',
      `Example: cli budgets create ${name} --max-unavailable 10%`,
    );
  const api = await apiOf(call);
  const reply = await api.post('/api/disruption-budgets', { body: { name, ...settings } });
  await printObject(call, reply, view, 'Created.');
}

export async function updateBudget(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const name = call.flags.text('name');
  const body = { ...(name !== undefined && { name }), ...budgetOf(call) };
  if (Object.keys(body).length === 0)
    throw usage('nothing to change', 'Example: cli budgets update pickers --max-unavailable 5%');
  const api = await apiOf(call);
  const id = await budgetIdOf(api, call.args[0] ?? '');
  await printObject(call, await api.patch('/api/disruption-budgets/{id}', { path: { id }, body }), view, 'Changed.');
}

export async function deleteBudget(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await budgetIdOf(api, call.args[0] ?? '');
  await confirmEffect(call, async () => {
    const budget = (await api.get('/api/disruption-budgets/{id}', { path: { id } })).body.data;
    return {
      title: `Delete disruption budget ${budget.name}`,
      facts: [
        ['Robots', budget.selector ?? 'all'],
        ['Limit', limitText(budget)],
        ['Deployments', 'no longer wait for it'],
      ],
    };
  });
  await printObject(call, await api.delete('/api/disruption-budgets/{id}', { path: { id } }), view, 'Deleted.');
}
