import { adminOrgId } from '../api/admin-orgs.ts';
import { adminApiOf, type Org, type Stats } from '../api/api.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import type { Tone } from '../command-line/colour.ts';
import { safeText } from '../output/safe.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printSecret } from './secrets.ts';
import { printList } from './lists.ts';
import { confirmEffect } from './effects/effect.ts';
import { printObject } from './shared.ts';

const tones: Partial<Record<string, Tone>> = { approved: 'good', pending: 'warn', suspended: 'bad' };

const view: View<Org> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'status', shown: 'table', tone: ({ status }) => tones[status] ?? 'quiet' },
    { field: 'requested_by', header: 'REQUESTED BY', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'table', time: true },
    { field: 'approved_at', header: 'APPROVED', shown: 'wide', time: true },
    { field: 'suspended_at', header: 'SUSPENDED', shown: 'wide', time: true },
  ],
  name: (org) => org.name,
};

type Approval = { org: Org; token: string };
const approvalView: View<Approval> = {
  columns: [
    { field: 'org', shown: 'table', text: ({ org }) => `${org.name} (${org.id})` },
    { field: 'token', shown: 'table' },
  ],
  name: ({ org }) => org.name,
};

const statsView: View<Stats> = {
  columns: [
    { field: 'version', shown: 'table' },
    { field: 'started_at', header: 'STARTED', shown: 'table', time: true },
    { field: 'orgs_pending', shown: 'table' },
    { field: 'orgs_approved', shown: 'table' },
    { field: 'orgs_suspended', shown: 'table' },
    { field: 'users', shown: 'table' },
    { field: 'robots', shown: 'table' },
    { field: 'sites', shown: 'table' },
    { field: 'fleets', shown: 'table' },
    { field: 'enrollment_keys', shown: 'table' },
    { field: 'tokens', shown: 'table' },
    { field: 'database_bytes', shown: 'table' },
  ],
  name: (stats) => stats.version,
};

export async function listOrgs(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await adminApiOf(call);
  // The parser accepts only these values.
  const status = call.flags.text('status') as 'pending' | 'approved' | 'suspended' | undefined;
  await printList(call, {
    what: 'orgs',
    whenEmpty: 'Create one: cli admin orgs create <name>',
    ask: (page) => api.get('/api/admin/orgs', { query: { ...page, status } }),
    view: () => view,
    key: 'id',
  });
}

export async function createOrg(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [name = ''] = call.args;
  const api = await adminApiOf(call);
  const reply = await api.post('/api/admin/orgs', { body: { name } });
  await printObject(call, reply, view, safeText(`Next: cli admin orgs approve ${reply.body.data.id}`));
}

export async function approveOrg(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, approvalView)) return;
  const [org = ''] = call.args;
  const api = await adminApiOf(call);
  const id = await adminOrgId(api, org);
  const reply = await api.post('/api/admin/orgs/{id}/approve', { path: { id } });
  await printSecret(call, reply, approvalView, reply.body.data.token, 'Its admin signs in with: cli login --token -');
}

export async function suspendOrg(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [org = ''] = call.args;
  const api = await adminApiOf(call);
  const id = await adminOrgId(api, org);
  await confirmEffect(call, () => ({
    title: org === id ? `Suspend org ${id}` : `Suspend org ${org} (${id})`,
    facts: [['Effect', 'its tokens stop working at once']],
  }));
  await printObject(
    call,
    await api.post('/api/admin/orgs/{id}/suspend', { path: { id } }),
    view,
    'Suspended. Its tokens stop working at once.',
  );
}

export async function resumeOrg(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [org = ''] = call.args;
  const api = await adminApiOf(call);
  const id = await adminOrgId(api, org);
  await printObject(call, await api.post('/api/admin/orgs/{id}/resume', { path: { id } }), view, 'Resumed.');
}

export async function showStats(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, statsView)) return;
  const api = await adminApiOf(call);
  await printObject(call, await api.get('/api/admin/stats', {}), statsView);
}
