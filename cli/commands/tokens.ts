import { apiOf, type Token, type TokenCreated } from '../api.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import type { Invocation } from '../spec.ts';
import { idOf } from './names.ts';
import { printSecret } from './secrets.ts';
import { printList } from './lists.ts';
import { printObject } from './shared.ts';

const view: View<Token> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'kind', shown: 'table' },
    { field: 'user_id', header: 'USER', shown: 'wide' },
    { field: 'robot_id', header: 'ROBOT', shown: 'wide' },
    { field: 'label', shown: 'table' },
    { field: 'last_four', header: 'ENDS IN', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'expires_at', header: 'EXPIRES', shown: 'table', time: true },
    {
      field: 'revoked_at',
      header: 'REVOKED',
      shown: 'table',
      time: true,
      tone: (token) => (token.revoked_at === undefined ? undefined : 'bad'),
    },
  ],
  name: (token) => token.id,
};

const createdView: View<TokenCreated> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'kind', shown: 'wide' },
    { field: 'user_id', header: 'USER', shown: 'table' },
    { field: 'robot_id', header: 'ROBOT', shown: 'asked' },
    { field: 'label', shown: 'table' },
    { field: 'last_four', header: 'ENDS IN', shown: 'asked' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'expires_at', header: 'EXPIRES', shown: 'table', time: true },
    { field: 'value', shown: 'table' },
  ],
  name: (token) => token.id,
};

export async function listTokens(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { flags } = call;
  const api = await apiOf(call);
  const [user, robot] = [flags.text('user'), flags.text('robot')];
  const [userId, robotId] = await Promise.all([
    user === undefined ? undefined : idOf(api, 'user', user),
    robot === undefined ? undefined : idOf(api, 'robot', robot),
  ]);
  // Parsing let nothing else through.
  const kind = flags.text('kind') as 'org' | 'user' | 'robot' | undefined;
  await printList(call, {
    what: 'tokens',
    whenEmpty: 'Issue one: cli tokens new --user <email>',
    ask: (page) => api.get('/api/tokens', { query: { ...page, kind, user_id: userId, robot_id: robotId } }),
    view: () => view,
    key: 'id',
  });
}

export async function newToken(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, createdView)) return;
  const { flags } = call;
  const api = await apiOf(call);
  const id = await idOf(api, 'user', flags.text('user') ?? '');
  const [label, hours] = [flags.text('label'), flags.integer('expires-in-hours')];
  const reply = await api.post('/api/users/{id}/tokens', {
    path: { id },
    body: { ...(label !== undefined && { label }), ...(hours !== undefined && { expires_in_hours: hours }) },
  });
  await printSecret(call, reply, createdView, reply.body.data.value, 'Its owner signs in with: cli login --token -');
}

export async function revokeToken(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [id = ''] = call.args;
  const api = await apiOf(call);
  await printObject(call, await api.post('/api/tokens/{id}/revoke', { path: { id } }), view, 'Revoked.');
}
