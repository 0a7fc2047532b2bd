import { apiOf, type Api, type DeploymentPlan, type PlanRobot, type Reply } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { basisText, forecastText } from '../../output/forecast-text.ts';
import { planCountsText } from '../../output/plan-text.ts';
import { safeCell } from '../../output/safe.ts';
import { listTable, usedColumns } from '../../output/table.ts';
import { answeredFieldsHelp, isForPeople, nameColumn, type View } from '../../output/view.ts';
import { robotsIn } from '../deployments/deployments-events.ts';
import { printList } from '../lists.ts';
import { nameLookup, noNames, type Names } from '../name-lookup.ts';
import { printObject } from '../shared.ts';

/** Maximum number of robots that people see with the plan. */
const maxShown = 10;

export const planView: View<DeploymentPlan> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'kind', shown: 'table' },
    { field: 'release_id', header: 'RELEASE', shown: 'table' },
    { field: 'config_id', header: 'CONFIG', shown: 'table' },
    { field: 'revision', shown: 'table' },
    { field: 'namespace', shown: 'wide' },
    { field: 'key', shown: 'table' },
    { field: 'target_kind', header: 'TARGET KIND', shown: 'table' },
    { field: 'target_id', header: 'TARGET', shown: 'table' },
    { field: 'target_selector', header: 'SELECTOR', shown: 'table' },
    { field: 'dynamic_until', header: 'DYNAMIC UNTIL', shown: 'table', time: true },
    { field: 'rollout_policy_name', header: 'POLICY', shown: 'table' },
    { field: 'rollout_policy_id', shown: 'wide' },
    { field: 'counts', header: 'ROBOTS', shown: 'table', text: planCountsText },
    { field: 'forecast', header: 'FORECAST', shown: 'table', text: ({ forecast }) => forecastText(forecast) },
    { field: 'deployment_id', header: 'DEPLOYMENT', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'table', time: true },
    { field: 'expires_at', header: 'EXPIRES', shown: 'table', time: true },
    { field: 'hash', shown: 'table' },
    { field: 'allow_downgrade', shown: 'asked' },
    {
      field: 'ignore_windows',
      header: 'IGNORES WINDOWS',
      shown: 'table',
      text: ({ ignore_windows: ignored }) => (ignored ? 'yes' : ''),
    },
    { field: 'waves', shown: 'asked' },
    { field: 'conflicts', shown: 'asked' },
    { field: 'budgets', shown: 'asked' },
    { field: 'rollout', shown: 'asked' },
  ],
  name: ({ id }) => id,
};

const waveView: View<DeploymentPlan['waves'][number]> = {
  columns: [
    { field: 'number', header: 'WAVE', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'robots', shown: 'table' },
    { field: 'online', shown: 'table' },
    { field: 'forecast', shown: 'table', text: ({ forecast }) => forecastText(forecast) },
  ],
  name: ({ number }) => String(number),
};

const conflictView: View<DeploymentPlan['conflicts'][number]> = {
  columns: [
    { field: 'deployment_id', header: 'DEPLOYMENT', shown: 'table' },
    { field: 'status', shown: 'table' },
    { field: 'robots', shown: 'table' },
    { field: 'supersede', header: 'WHAT HAPPENS', shown: 'table' },
  ],
  name: ({ deployment_id: id }) => id,
};

const budgetView: View<DeploymentPlan['budgets'][number]> = {
  columns: [
    { field: 'name', header: 'BUDGET', shown: 'table' },
    { field: 'group', shown: 'table' },
    { field: 'robots', shown: 'table' },
    { field: 'unavailable', shown: 'table', text: ({ unavailable, total }) => `${unavailable} of ${total}` },
    { field: 'allowed', header: 'AT MOST', shown: 'table' },
  ],
  name: ({ name }) => name,
};

const robotView = (robots: Names = noNames): View<PlanRobot> => ({
  columns: [
    {
      field: 'robot_id',
      header: 'ROBOT',
      shown: 'table',
      whole: true,
      text: ({ robot_id: id }) => robots.get(id) ?? id,
    },
    { field: 'wave', shown: 'table' },
    { field: 'online', shown: 'table', text: ({ online }) => (online ? 'yes' : 'no') },
    { field: 'current', header: 'RUNS', shown: 'table', text: currentText },
    { field: 'downgrade', shown: 'table', text: ({ downgrade }) => (downgrade ? 'yes' : '') },
    { field: 'conflict', header: 'OTHER DEPLOYMENT', shown: 'table' },
    { field: 'skip', header: 'SKIPPED', shown: 'table' },
    nameColumn('robot_name', ({ robot_id: id }) => robots.get(id)),
  ],
  name: ({ robot_id: id }) => id,
});

const currentText = ({ current }: PlanRobot): string =>
  current?.tag ?? (current?.revision === undefined ? '' : `revision ${current.revision}`);

/** `plans show`. */
export async function showPlan(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, planView)) return;
  const api = await apiOf(call);
  const [id = ''] = call.args;
  await printPlan(call, api, await api.get('/api/deployment-plans/{id}', { path: { id } }));
}

/** `plans robots`. */
export async function listPlanRobots(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, robotView())) return;
  const [id = ''] = call.args;
  const wave = call.flags.integer('wave');
  const api = await apiOf(call);
  const names = nameLookup(api);
  await printList(call, {
    what: 'robots',
    whenEmpty: 'The plan has none in this wave.',
    ask: (page) => api.get('/api/deployment-plans/{id}/robots', { path: { id }, query: { ...page, wave } }),
    names: (robots) => names.load(robotsIn(robots)),
    view: () => robotView(names),
    key: 'robot_id',
  });
}

/** A plan; people also get its waves, its conflicts, the budgets that concern it and the first robots. */
export async function printPlan(call: Invocation, api: Api, reply: Reply<{ data: DeploymentPlan }>): Promise<void> {
  await printObject(call, reply, planView);
  if (!isForPeople(call) || call.flags.text('fields') !== undefined) return;
  const { id, waves, conflicts, budgets, counts } = reply.body.data;
  section(call, 'Waves', waveView, waves);
  const basis = basisText(reply.body.data);
  if (basis !== '') call.io.aside(`Forecast, as if it began now: ${basis}`);
  section(call, 'Other open deployments', conflictView, conflicts);
  section(call, 'Disruption budgets', budgetView, budgets);
  const query = { limit: maxShown };
  const { items } = (await api.get('/api/deployment-plans/{id}/robots', { path: { id }, query })).body;
  const names = nameLookup(api);
  await names.load(robotsIn(items));
  const part = items.length < counts.robots ? `, the first ${items.length} of ${counts.robots}` : '';
  section(call, `Robots${part}`, robotView(names), items);
  if (part !== '') call.io.aside(`List all robots with: cli plans robots ${id}`);
}

function section<T extends object>(call: Invocation, title: string, { columns }: View<T>, items: readonly T[]): void {
  if (items.length === 0) return;
  const { out } = call.io;
  const shown = usedColumns(
    columns.filter((column) => column.shown === 'table'),
    items,
  );
  const lines = listTable(shown, out.columns, (text, tone) => out.paint(text, tone)).lines(items);
  out.write(`\n${out.paint(safeCell(title), 'strong')}\n${lines.join('\n')}\n`);
}
