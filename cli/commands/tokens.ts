import { adminOrgId } from '../api/admin-orgs.ts';
import { adminApiOf, apiOf, type Api, type Reply, type Token, type TokenCreated } from '../api/api.ts';
import { relativeTime } from '../output/time.ts';
import { answeredFieldsHelp, isForPeople, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { expiryText, expiryTone, lifetimeHours, noteExpiry } from './expiry.ts';
import { idOf } from '../api/names.ts';
import { wholeIdOf } from '../api/short-ids.ts';
import { nameLookup, namesOf, noNames, type Names, type Reference } from './name-lookup.ts';
import { printSecret } from './secrets.ts';
import { printList } from './lists.ts';
import { confirmEffect } from './effects/effect.ts';
import { notFound } from '../api/not-found.ts';
import { isId } from '../command-line/id.ts';
import { printObject } from './shared.ts';

const view = (owners: Names = noNames): View<Token> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'kind', shown: 'wide' },
    { field: 'user_id', header: 'OWNER', shown: 'table', text: (token) => ownerOf(token, owners) },
    { field: 'robot_id', header: 'ROBOT', shown: 'wide' },
    { field: 'label', shown: 'table' },
    { field: 'last_four', header: 'LAST FOUR', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    {
      field: 'expires_at',
      header: 'EXPIRES',
      shown: 'table',
      time: true,
      // One column, so that the owner fits in 80 columns.
      text: (token) => (token.revoked_at === undefined ? expiryText(token.expires_at) : 'revoked'),
      tone: (token) => (token.revoked_at === undefined ? expiryTone(token.expires_at) : 'bad'),
    },
    { field: 'revoked_at', header: 'REVOKED', shown: 'wide', time: true },
    { field: 'last_used_at', header: 'LAST USED', shown: 'wide', time: true },
    { field: 'rotation_wanted_at', header: 'ROTATION WANTED', shown: 'wide', time: true },
  ],
  name: (token) => token.id,
});

/** A user, a robot, or the org itself. A removed owner has only an id. */
function ownerOf({ user_id, robot_id }: Token, owners: Names): string {
  const id = user_id ?? robot_id;
  return id === undefined ? 'the org' : (owners.get(id) ?? id);
}

const createdView: View<TokenCreated> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'kind', shown: 'wide' },
    { field: 'user_id', header: 'USER', shown: 'table' },
    { field: 'robot_id', header: 'ROBOT', shown: 'asked' },
    { field: 'label', shown: 'table' },
    { field: 'last_four', header: 'LAST FOUR', shown: 'asked' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'expires_at', header: 'EXPIRES', shown: 'table', time: true },
    { field: 'value', shown: 'table' },
  ],
  name: (token) => token.id,
};

export async function listTokens(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const { flags } = call;
  const api = await apiOf(call);
  const [user, robot] = [flags.text('user'), flags.text('robot')];
  const [userId, robotId] = await Promise.all([
    user === undefined ? undefined : idOf(api, 'user', user),
    robot === undefined ? undefined : idOf(api, 'robot', robot),
  ]);
  // The parser accepts only these values.
  const kind = flags.text('kind') as 'org' | 'user' | 'robot' | undefined;
  const names = nameLookup(api);
  await printList(call, {
    what: 'tokens',
    whenEmpty: 'Issue one: cli tokens new --user <email>',
    ask: (page) => api.get('/api/tokens', { query: { ...page, kind, user_id: userId, robot_id: robotId } }),
    view: () => view(names),
    names: (tokens) => names.load(tokens.flatMap(ownersIn)),
    key: 'id',
  });
}

export async function newToken(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, createdView)) return;
  const { flags } = call;
  const api = await apiOf(call);
  const id = await idOf(api, 'user', flags.text('user') ?? '');
  const hours = lifetimeHours(call, 'token');
  const body = { ...labelOf(call), ...(hours !== undefined && { expires_in_hours: hours }) };
  const reply = await api.post('/api/users/{id}/tokens', { path: { id }, body });
  await printToken(call, api, reply, 'owner');
  noteExpiry(call, 'token', reply.body.data.expires_at);
}

export async function newOrgToken(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, createdView)) return;
  const api = await adminApiOf(call);
  const id = await adminOrgId(api, call.args[0] ?? '');
  await printToken(
    call,
    api,
    await api.post('/api/admin/orgs/{id}/tokens', { path: { id }, body: labelOf(call) }),
    'admin',
  );
}

function labelOf({ flags }: Invocation): { label?: string } {
  const label = flags.text('label');
  return label === undefined ? {} : { label };
}

/** Prints a new token, this once, and how `who` signs in with it. */
const printToken = (call: Invocation, api: Api, reply: Reply<{ data: TokenCreated }>, who: 'owner' | 'admin') =>
  printSecret(
    call,
    reply,
    createdView,
    reply.body.data.value,
    `Its ${who} signs in with: cli login --base-url ${api.connection.baseUrl} --token -`,
  );

export async function revokeToken(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = await wholeIdOf(api, 'token', call.args[0] ?? '');
  await confirmEffect(call, async () => {
    const [token] = isId(id) ? (await api.get('/api/tokens', { query: { id } })).body.items : [];
    if (!token) throw notFound('token', id, []);
    const owners = await namesOf(api, ownersIn(token));
    return {
      title: `Revoke ${token.kind} token ${token.label ?? id}`,
      facts: [
        ['Owner', owners.get(token.user_id ?? token.robot_id ?? '')],
        ['Last used', token.last_used_at && relativeTime(token.last_used_at)],
        ['Effect', 'what signs in with it is refused at once'],
      ],
    };
  });
  const reply = await api.post('/api/tokens/{id}/revoke', { path: { id } });
  await printObject(call, reply, view(await ownerNames(call, api, reply.body.data)), 'Revoked.');
}

export async function rotateRobotToken(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [robot = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await confirmEffect(call, () => ({
    title: `Rotate the token of robot ${robot}`,
    facts: [['Effect', 'its agent receives a new token; the old one stops working when the new one is used']],
  }));
  const reply = await api.post('/api/robots/{id}/rotate-token', { path: { id } });
  const message =
    'Its agent receives a new token when it is connected. The old token stops working when the new one is used.';
  await printObject(call, reply, view(await ownerNames(call, api, reply.body.data)), message);
}

const ownersIn = ({ user_id: user, robot_id: robot }: Token): Reference[] => [
  ['users', user],
  ['robots', robot],
];

const ownerNames = async (call: Invocation, api: Api, token: Token): Promise<Names> =>
  isForPeople(call) ? await namesOf(api, ownersIn(token)) : noNames;
