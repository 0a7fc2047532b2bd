import { apiOf, type StreamTicket } from '../api/api.ts';
import { streamUrl } from '../client/streams/stream-connector.ts';
import type { StreamKind } from '../client/types.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { idOf } from '../api/names.ts';
import { printSecret } from './secrets.ts';

const view: View<StreamTicket> = {
  columns: [
    { field: 'robot_id', header: 'ROBOT', shown: 'wide' },
    { field: 'kind', header: 'STREAM', shown: 'table' },
    { field: 'expires_at', header: 'EXPIRES', shown: 'table', time: true },
    { field: 'ticket', shown: 'table' },
  ],
  name: (ticket) => ticket.robot_id,
};

export async function newTicket(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [robot = '', stream] = call.args;
  const kind = stream as StreamKind; // parsing accepts only these
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  const reply = await api.post('/api/stream-tickets', { body: { robot_id: id, kind } });
  const { href } = streamUrl(api.connection.baseUrl, id, kind, {});
  const address = `${href}?${kind === 'topic' ? 'topic=<topic>&' : ''}token=<ticket>`;
  await printSecret(call, reply, view, reply.body.data.ticket, `It opens once, within 30 s: ${address}`);
}
