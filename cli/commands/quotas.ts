import { adminOrgId } from '../api/admin-orgs.ts';
import { adminApiOf, apiOf, type QuotaLimits, type Quotas } from '../api/api.ts';
import { usage } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { amount } from '../output/units.ts';
import { answeredFieldsHelp, type Column, type View } from '../output/view.ts';
import { printObject } from './shared.ts';

const limitNames = [
  'robots',
  'artifact_bytes',
  'live_streams',
  'log_bytes_per_day',
] as const satisfies (keyof QuotaLimits)[];
const flagOf = (name: keyof QuotaLimits) => `max-${name.replaceAll('_', '-')}`;

/** `240 of 500`, or `240, no limit`. */
const column = (
  field: Exclude<keyof QuotaLimits, 'log_bytes_per_day'>,
  say: (value: number) => string,
): Column<Quotas> => ({
  field,
  header: field.replaceAll('_', ' ').toUpperCase(),
  shown: 'table',
  text: ({ [field]: limit, used }) => `${say(used[field])}${limit === undefined ? ', no limit' : ` of ${say(limit)}`}`,
  tone: ({ [field]: limit = Infinity, used }) => (used[field] >= limit ? 'bad' : undefined),
});

/** `1.2 GiB of 10.0 GiB today`, with the records that were not stored. */
const logColumn: Column<Quotas> = {
  field: 'log_bytes_per_day',
  header: 'LOG BYTES PER DAY',
  shown: 'table',
  text({ log_bytes_per_day: limit, used: { log_bytes_per_day: used = 0, refused_log_records: refused = 0 } }) {
    if (limit === undefined) return 'no limit';
    const dropped = refused > 0 ? `; ${refused} records dropped` : '';
    return `${amount(used)} of ${amount(limit)} today${dropped}`;
  },
  tone: ({ log_bytes_per_day: limit = Infinity, used: { log_bytes_per_day: used = 0 } }) =>
    used >= limit ? 'bad' : undefined,
};

const view: View<Quotas> = {
  columns: [column('robots', String), column('artifact_bytes', amount), column('live_streams', String), logColumn],
  name: () => 'quotas',
};

export async function showQuotas(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  await printObject(call, await (await apiOf(call)).get('/api/org/quotas', {}), view);
}

export async function showOrgQuotas(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await adminApiOf(call);
  const id = await adminOrgId(api, call.args[0] ?? '');
  await printObject(call, await api.get('/api/admin/orgs/{id}/quotas', { path: { id } }), view);
}

/** The API replaces all limits, so those without a flag are read first. */
export async function setOrgQuotas(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const changes = changesOf(call);
  const api = await adminApiOf(call);
  const id = await adminOrgId(api, call.args[0] ?? '');
  const { data } = (await api.get('/api/admin/orgs/{id}/quotas', { path: { id } })).body;
  const limits: QuotaLimits = {};
  for (const name of limitNames) {
    const limit = name in changes ? changes[name] : data[name];
    if (limit !== undefined) limits[name] = limit;
  }
  const reply = await api.put('/api/admin/orgs/{id}/quotas', { path: { id }, body: limits });
  await printObject(call, reply, view, 'Changed. It applies to new requests; nothing is removed.');
}

/** Undefined for a limit to be removed. @throws usage without a flag */
function changesOf({ flags }: Invocation): Partial<Record<keyof QuotaLimits, number | undefined>> {
  const changes: Partial<Record<keyof QuotaLimits, number | undefined>> = {};
  for (const name of limitNames) {
    const flag = flagOf(name);
    const value = flags.text(flag);
    if (value === undefined) continue;
    if (value !== 'none' && !/^\d{1,15}$/.test(value))
      throw usage(`--${flag} must be a whole number or none, not "${value}"`, `Example: --${flag} 500`);
    changes[name] = value === 'none' ? undefined : Number(value);
  }
  if (Object.keys(changes).length === 0)
    throw usage('no limit named', `Name at least one: ${limitNames.map((name) => `--${flagOf(name)}`).join(', ')}`);
  return changes;
}
