import { apiOf, type Role, type User } from '../api/api.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { safeText } from '../output/safe.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { idOf } from '../api/names.ts';
import { printList } from './lists.ts';
import { confirmEffect } from './effects/effect.ts';
import { printObject } from './shared.ts';

const view: View<User> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'email', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'role', shown: 'table' },
    { field: 'created_at', header: 'ADDED', shown: 'wide', time: true },
  ],
  name: (user) => user.email,
};

export async function listUsers(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const email = call.flags.text('email');
  await printList(call, {
    what: 'users',
    whenEmpty: 'Add one: cli users create <email>',
    ask: (page) => api.get('/api/users', { query: { ...page, email } }),
    view: () => view,
    sortedBy: ({ email }) => email,
    key: 'id',
  });
}

export async function createUser(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [email = ''] = call.args;
  const name = call.flags.text('name');
  // The parser accepts only these values.
  const role = (call.flags.text('role') ?? 'viewer') as Role;
  const api = await apiOf(call);
  const reply = await api.post('/api/users', { body: { email, role, ...(name !== undefined && { name }) } });
  await printObject(call, reply, view, safeText(`Next: cli tokens new --user ${reply.body.data.email}`));
}

export async function changeRole(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [user = '', role = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'user', user);
  await printObject(
    call,
    await api.patch('/api/users/{id}', { path: { id }, body: { role: role as Role } }),
    view,
    'Changed.',
  );
}

export async function removeUser(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [user = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'user', user);
  await confirmEffect(call, async () => {
    const found = (await api.get('/api/users', { query: { id } })).body.items[0];
    const tokens = (await api.get('/api/tokens', { query: { user_id: id } })).body.items;
    const active = tokens.filter(({ revoked_at: at }) => at === undefined).length;
    return {
      title: `Remove user ${found?.email ?? user}`,
      facts: [
        ['Role', found?.role],
        ['Tokens', `${active}, which stop working at once`],
      ],
    };
  });
  await printObject(
    call,
    await api.delete('/api/users/{id}', { path: { id } }),
    view,
    'Removed. The user’s tokens stop working at once.',
  );
}
