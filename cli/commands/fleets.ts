import { apiOf, type Fleet } from '../api/api.ts';
import { answeredFieldsHelp, nameColumn, needsNames, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { idOf } from '../api/names.ts';
import { nameLookup, noNames, type Names } from './name-lookup.ts';
import { printList } from './lists.ts';
import { confirmEffect } from './effects/effect.ts';
import { placeEffect } from './effects/place-effect.ts';
import { printObject } from './shared.ts';

const view = (names: Names = noNames): View<Fleet> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'site_id', header: 'SITE', shown: 'table', text: (fleet) => names.get(fleet.site_id) ?? fleet.site_id },
    { field: 'created_at', header: 'CREATED', shown: 'table', time: true },
    nameColumn('site_name', (fleet) => names.get(fleet.site_id)),
  ],
  name: (fleet) => fleet.name,
});

export async function listFleets(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const site = call.flags.text('site');
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  const filter = { name: call.flags.text('name'), site_id: siteId };
  const names = nameLookup(api);
  await printList(call, {
    what: 'fleets',
    whenEmpty: 'Create one: cli fleets create <name> --site <site>',
    ask: (page) => api.get('/api/fleets', { query: { ...page, ...filter } }),
    view: () => view(names),
    names: (fleets) => names.load(fleets.map(({ site_id: id }) => ['sites', id])),
    sortedBy: (fleet) => fleet.name,
    key: 'id',
  });
}

export async function showFleet(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = await idOf(api, 'fleet', call.args[0] ?? '');
  const reply = await api.get('/api/fleets/{id}', { path: { id } });
  const names = nameLookup(api);
  if (needsNames(call, view())) await names.load([['sites', reply.body.data.site_id]]);
  await printObject(call, reply, view(names));
}

export async function createFleet(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [name = ''] = call.args;
  const api = await apiOf(call);
  const siteId = await idOf(api, 'site', call.flags.text('site') ?? '');
  const reply = await api.post('/api/fleets', { body: { name, site_id: siteId } });
  await printObject(call, reply, view(), 'Next: cli keys new --site <site> --fleet <fleet>');
}

export async function renameFleet(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [fleet = '', name = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'fleet', fleet);
  await printObject(call, await api.patch('/api/fleets/{id}', { path: { id }, body: { name } }), view(), 'Renamed.');
}

export async function deleteFleet(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [fleet = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'fleet', fleet);
  await confirmEffect(call, () => placeEffect(api, 'fleet', id));
  await printObject(call, await api.delete('/api/fleets/{id}', { path: { id } }), view(), 'Deleted.');
}
