import { apiOf, type Site } from '../api/api.ts';
import { idOf } from '../api/names.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printList } from './lists.ts';
import { confirmEffect } from './effects/effect.ts';
import { placeEffect } from './effects/place-effect.ts';
import { printObject } from './shared.ts';

const view: View<Site> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'table', time: true },
    { field: 'artifact_base_url', header: 'ARTIFACT CACHE', shown: 'wide', late: true },
  ],
  name: (site) => site.name,
};

export async function listSites(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const name = call.flags.text('name');
  await printList(call, {
    what: 'sites',
    whenEmpty: 'Create one: cli sites create <name>',
    ask: (page) => api.get('/api/sites', { query: { ...page, name } }),
    view: () => view,
    sortedBy: (site) => site.name,
    key: 'id',
  });
}

export async function showSite(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await idOf(api, 'site', call.args[0] ?? '');
  await printObject(call, await api.get('/api/sites/{id}', { path: { id } }), view);
}

export async function createSite(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [name = ''] = call.args;
  const api = await apiOf(call);
  await printObject(
    call,
    await api.post('/api/sites', { body: { name, ...cacheOf(call) } }),
    view,
    'Next: cli fleets create <name> --site <site>',
  );
}

export async function renameSite(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [site = '', name = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'site', site);
  await printObject(call, await api.patch('/api/sites/{id}', { path: { id }, body: { name } }), view, 'Renamed.');
}

export async function updateSite(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [site = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'site', site);
  await printObject(call, await api.patch('/api/sites/{id}', { path: { id }, body: cacheOf(call) }), view, 'Updated.');
}

function cacheOf({ flags }: Invocation): { artifact_base_url?: string } {
  const address = flags.text('artifact-base-url');
  return address === undefined ? {} : { artifact_base_url: address };
}

export async function deleteSite(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [site = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'site', site);
  await confirmEffect(call, () => placeEffect(api, 'site', id));
  await printObject(call, await api.delete('/api/sites/{id}', { path: { id } }), view, 'Deleted.');
}
