import { apiOf, exchange, type ShellSession } from '../api/api.ts';
import { refusal } from '../api/api-errors.ts';
import { usage } from '../command-line/errors.ts';
import { answeredFieldsHelp, nameColumn, type View } from '../output/view.ts';
import { readCast } from '../live/playback/asciicast.ts';
import { play } from '../live/playback/player.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printList } from './lists.ts';
import { idOf } from '../api/names.ts';
import { wholeIdOf } from '../api/short-ids.ts';
import { nameLookup, noNames, type Names, type Reference } from './name-lookup.ts';

const view = (names: Names = noNames): View<ShellSession> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'robot_id', header: 'ROBOT', shown: 'table', text: ({ robot_id: id }) => names.get(id) ?? id },
    {
      field: 'user_id',
      header: 'WHO',
      shown: 'table',
      text: ({ user_id: id }) => (id === undefined ? 'the org' : (names.get(id) ?? id)),
    },
    { field: 'created_at', header: 'BEGAN', shown: 'table', time: true },
    {
      field: 'seconds',
      shown: 'table',
      text: ({ seconds }) => (seconds === undefined ? 'open' : String(seconds)),
      tone: ({ seconds }) => (seconds === undefined ? 'good' : undefined),
    },
    { field: 'recorded', shown: 'table' },
    { field: 'bytes_to_viewer', header: 'SHOWN BYTES', shown: 'wide' },
    { field: 'bytes_from_viewer', header: 'TYPED BYTES', shown: 'wide' },
    { field: 'ended_at', header: 'ENDED', shown: 'wide', time: true },
    { field: 'close_code', header: 'CODE', shown: 'wide' },
    { field: 'token_id', header: 'TOKEN', shown: 'asked' },
    nameColumn('robot_name', ({ robot_id: id }) => names.get(id)),
    nameColumn('user_name', ({ user_id: id = '' }) => names.get(id)),
  ],
  name: (session) => session.id,
});

export async function listSessions(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const robot = call.flags.text('robot');
  const robotId = robot === undefined ? undefined : await idOf(api, 'robot', robot);
  const names = nameLookup(api);
  await printList(call, {
    what: 'shells',
    whenEmpty: 'Open one: cli robots shell <robot>',
    ask: (page) => api.get('/api/shell-sessions', { query: { ...page, robot_id: robotId } }),
    view: () => view(names),
    names: (sessions) =>
      names.load(
        sessions.flatMap((session): Reference[] => [
          ['robots', session.robot_id],
          ['users', session.user_id],
        ]),
      ),
    key: 'id',
  });
}

export async function downloadSession(call: Invocation): Promise<void> {
  call.io.out.write(await recordingOf(call));
}

export async function playSession(call: Invocation): Promise<void> {
  const { flags, io } = call;
  const pace = { speed: amountOf(call, 'speed', 1), idleLimitSeconds: amountOf(call, 'idle-limit', Infinity) };
  if (!io.out.tty)
    throw usage('playing a recording requires a terminal', 'Download it with: cli sessions download <id>');
  await play(io, readCast((await recordingOf(call)).toString()), pace, flags.on('raw'));
}

async function recordingOf(call: Invocation): Promise<Buffer> {
  const api = await apiOf(call);
  const { connection } = api;
  const id = await wholeIdOf(api, 'recording', call.args[0] ?? '');
  const path = `/api/shell-sessions/${encodeURIComponent(id)}/recording`;
  const headers = { Accept: 'application/x-asciicast' };
  const reply = await exchange(call, connection, { method: 'GET', url: connection.baseUrl + path, headers });
  if (reply.status !== 200) throw refusal(reply, connection, path);
  return reply.body;
}

function amountOf({ flags }: Invocation, name: string, usual: number): number {
  const text = flags.text(name);
  if (text === undefined) return usual;
  const amount = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (amount <= 0) throw usage(`--${name} must be a number above 0, such as 2 or 0.5, not "${text}"`);
  return amount;
}
