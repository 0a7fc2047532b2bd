import { apiOf, type EnrollmentKey, type EnrollmentKeyCreated } from '../api/api.ts';
import { relativeTime } from '../output/time.ts';
import { answeredFieldsHelp, nameColumn, type Column, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { expiryText, expiryTone, lifetimeHours, noteExpiry } from './expiry.ts';
import { idOf } from '../api/names.ts';
import { notFound } from '../api/not-found.ts';
import { isId } from '../command-line/id.ts';
import { wholeIdOf } from '../api/short-ids.ts';
import { nameLookup, noNames, placesIn, type Names } from './name-lookup.ts';
import { printSecret } from './secrets.ts';
import { printList } from './lists.ts';
import { confirmEffect } from './effects/effect.ts';
import { printObject } from './shared.ts';

const view = (names: Names = noNames): View<EnrollmentKey> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'label', shown: 'table' },
    { field: 'fleet_id', header: 'FLEET', shown: 'table', text: (key) => names.get(key.fleet_id) ?? key.fleet_id },
    { field: 'site_id', header: 'SITE', shown: 'wide', text: (key) => names.get(key.site_id) ?? key.site_id },
    { field: 'uses', shown: 'table', text: (key) => `${key.uses}/${key.max_uses ?? '∞'}` },
    { field: 'max_uses', shown: 'wide' },
    { field: 'last_four', header: 'LAST FOUR', shown: 'wide' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    {
      field: 'expires_at',
      header: 'EXPIRES',
      shown: 'table',
      time: true,
      text: (key) => expiryText(key.expires_at),
      tone: (key) => expiryTone(key.expires_at),
    },
    {
      field: 'revoked_at',
      header: 'REVOKED',
      shown: 'table',
      time: true,
      tone: (key) => (key.revoked_at === undefined ? undefined : 'bad'),
    },
    { field: 'last_used_at', header: 'LAST USED', shown: 'wide', time: true },
    nameColumn('fleet_name', (key) => names.get(key.fleet_id)),
    nameColumn('site_name', (key) => names.get(key.site_id)),
  ],
  name: (key) => key.id,
});

const createdColumns: Column<EnrollmentKeyCreated>[] = [
  { field: 'id', shown: 'table' },
  { field: 'label', shown: 'table' },
  { field: 'site_id', header: 'SITE', shown: 'table' },
  { field: 'fleet_id', header: 'FLEET', shown: 'table' },
  { field: 'max_uses', shown: 'table' },
  { field: 'expires_at', header: 'EXPIRES', shown: 'table', time: true },
  { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
  { field: 'uses', shown: 'asked' },
  { field: 'last_four', header: 'LAST FOUR', shown: 'asked' },
  { field: 'value', shown: 'table' },
];
const createdView: View<EnrollmentKeyCreated> = { columns: createdColumns, name: (key) => key.id };

export async function listKeys(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const [site, fleet] = [call.flags.text('site'), call.flags.text('fleet')];
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  const fleetId = fleet === undefined ? undefined : await idOf(api, 'fleet', fleet, siteId);
  const filter = { site_id: siteId, fleet_id: fleetId };
  const names = nameLookup(api);
  await printList(call, {
    what: 'keys',
    whenEmpty: 'Create one: cli keys new --site <site> --fleet <fleet>',
    ask: (page) => api.get('/api/enrollment-keys', { query: { ...page, ...filter } }),
    view: () => view(names),
    names: (keys) => names.load(keys.flatMap(placesIn)),
    sortedBy: (key) => key.label ?? '',
    key: 'id',
  });
}

export async function newKey(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, createdView)) return;
  const { flags } = call;
  const api = await apiOf(call);
  const siteId = await idOf(api, 'site', flags.text('site') ?? '');
  const fleetId = await idOf(api, 'fleet', flags.text('fleet') ?? '', siteId);
  const [label, maxUses, hours] = [flags.text('label'), flags.integer('max-uses'), lifetimeHours(call, 'key')];
  const reply = await api.post('/api/enrollment-keys', {
    body: {
      site_id: siteId,
      fleet_id: fleetId,
      ...(label !== undefined && { label }),
      ...(maxUses !== undefined && { max_uses: maxUses }),
      ...(hours !== undefined && { expires_in_hours: hours }),
    },
  });
  const { value, expires_at: expiresAt } = reply.body.data;
  const robotsLine = `cli agent run --backend-url ${api.connection.baseUrl} --enrollment-key <key>`;
  await printSecret(call, reply, createdView, value, `On the robot: ${robotsLine}`);
  noteExpiry(call, 'key', expiresAt);
}

export async function revokeKey(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = await wholeIdOf(api, 'enrollment key', call.args[0] ?? '');
  await confirmEffect(call, async () => {
    const [key] = isId(id) ? (await api.get('/api/enrollment-keys', { query: { id } })).body.items : [];
    if (!key) throw notFound('enrollment key', id, []);
    return {
      title: `Revoke enrollment key ${key.label ?? id}`,
      facts: [
        ['Used', `by ${key.uses} robots, which stay`],
        ['Last used', key.last_used_at && relativeTime(key.last_used_at)],
        ['Effect', 'robots that have not enrolled yet are refused'],
      ],
    };
  });
  const reply = await api.post('/api/enrollment-keys/{id}/revoke', { path: { id } });
  await printObject(call, reply, view(), 'Revoked. Robots that enrolled with it stay.');
}
