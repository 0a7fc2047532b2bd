import { apiOf, type Api, type MaintenanceWindow } from '../api/api.ts';
import { idOf } from '../api/names.ts';
import { wholeIdOf } from '../api/short-ids.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { usage } from '../command-line/errors.ts';
import { bothTimes } from '../output/time.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { confirmEffect, type Effect } from './effects/effect.ts';
import { printList } from './lists.ts';
import { nameLookup, noNames, targetIn, type Names } from './name-lookup.ts';
import { printObject } from './shared.ts';

const kinds = ['robot', 'fleet', 'site'] as const;

const view = (names: Names = noNames): View<MaintenanceWindow> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'target_kind', header: 'KIND', shown: 'table' },
    { field: 'target_id', header: 'TARGET', shown: 'table', text: ({ target_id: id }) => names.get(id) ?? id },
    { field: 'reason', shown: 'table' },
    { field: 'ends_at', header: 'ENDS', shown: 'table', time: true },
    { field: 'ended_at', header: 'ENDED', shown: 'table', time: true },
    { field: 'created_at', header: 'STARTED', shown: 'table', time: true, dropped: 1 },
  ],
  name: ({ id }) => id,
});

export async function startMaintenance(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const { flags } = call;
  const given = kinds.filter((kind) => flags.text(kind) !== undefined);
  const [kind] = given;
  const isFleetOfSite = given.length === 2 && !given.includes('robot');
  if (!kind || (given.length > 1 && !isFleetOfSite))
    throw usage('name one of --robot, --fleet and --site', 'Example: cli maintenance start --fleet pickers');
  const hours = Number(flags.text('hours') ?? '1');
  if (!(hours > 0 && hours <= 2160))
    throw usage(`--hours takes more than 0 and at most 2160, not "${flags.text('hours') ?? ''}"`, 'Example: --hours 2');
  const api = await apiOf(call);
  const siteId = isFleetOfSite ? await idOf(api, 'site', flags.text('site') ?? '') : undefined;
  const id = await idOf(api, kind, flags.text(kind) ?? '', siteId);
  await confirmEffect(call, () => maintenanceEffect(api, kind, id, hours));
  const reply = await api.post('/api/maintenance-windows', {
    body: { target_kind: kind, target_id: id, hours, reason: flags.text('reason') ?? '' },
  });
  await printObject(call, reply, view(), `End it earlier with: cli maintenance end ${reply.body.data.id}`);
}

/** How many robots it silences, and how many of them need somebody now. Asks unless it is one robot. */
async function maintenanceEffect(api: Api, kind: (typeof kinds)[number], id: string, hours: number): Promise<Effect> {
  const { sites, fleets } = (await api.get('/api/health-summary', {})).body.data;
  const [site, fleet] = [sites.find((each) => each.site_id === id), fleets.find((each) => each.fleet_id === id)];
  const counts = (site ?? fleet)?.counts;
  const ill = (['unhealthy', 'degraded'] as const).filter((status) => (counts?.[status] ?? 0) > 0);
  return {
    title: `Start maintenance of ${kind} ${site?.site_name ?? fleet?.fleet_name ?? id}`,
    facts: [
      ['Robots', counts && `${counts.total}, and those that join; their conditions do not count`],
      ['Health', ill.length === 0 ? undefined : ill.map((status) => `${counts?.[status] ?? 0} ${status}`).join(', ')],
      ['Until', bothTimes(new Date(Date.now() + hours * 3_600_000).toISOString())],
    ],
    asks: kind !== 'robot',
  };
}

export async function listMaintenance(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const names = nameLookup(api);
  const filter = call.flags.on('all') ? {} : { active: true };
  await printList(call, {
    what: 'maintenance windows',
    whenEmpty: 'Start one: cli maintenance start --robot <robot> --reason <text>',
    ask: (page) => api.get('/api/maintenance-windows', { query: { ...page, ...filter } }),
    view: () => view(names),
    names: (windows) => names.load(windows.map(targetIn)),
    key: 'id',
  });
}

export async function endMaintenance(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const path = { id: await wholeIdOf(api, 'maintenance window', call.args[0] ?? '') };
  const [before] = (await api.get('/api/maintenance-windows', { query: { id: path.id } })).body.items;
  const reply = await api.post('/api/maintenance-windows/{id}/end', { path });
  await printObject(call, reply, view(), before?.ended_at === undefined ? 'Ended.' : 'It had ended before.');
}
