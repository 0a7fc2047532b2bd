import { apiOf, type Fleet } from '../api/api.ts';
import { answeredFieldsHelp, isForPeople, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { idOf } from '../api/names.ts';
import { noPlaces, placesOf, type Places } from './site-and-fleet-names.ts';
import { printList } from './lists.ts';
import { printObject } from './shared.ts';

const view = ({ sites }: Places = noPlaces): View<Fleet> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'site_id', header: 'SITE', shown: 'table', text: (fleet) => sites.get(fleet.site_id) ?? fleet.site_id },
    { field: 'created_at', header: 'CREATED', shown: 'table', time: true },
  ],
  name: (fleet) => fleet.name,
});

export async function listFleets(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const site = call.flags.text('site');
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  const filter = { name: call.flags.text('name'), site_id: siteId };
  await printList(call, {
    what: 'fleets',
    whenEmpty: 'Create one: cli fleets create <name> --site <site>',
    ask: (page) => api.get('/api/fleets', { query: { ...page, ...filter } }),
    view: async () => view(isForPeople(call) ? await placesOf(api, ['sites']) : noPlaces),
    key: 'id',
  });
}

export async function createFleet(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [name = ''] = call.args;
  const api = await apiOf(call);
  const siteId = await idOf(api, 'site', call.flags.text('site') ?? '');
  const reply = await api.post('/api/fleets', { body: { name, site_id: siteId } });
  await printObject(call, reply, view(), 'Next: cli keys new --site <site> --fleet <fleet>');
}
