import { apiOf, type AuditEntry } from '../api.ts';
import { answeredFieldsHelp, drawsScreen, type View } from '../output/view.ts';
import type { Invocation } from '../spec.ts';
import { printList } from './lists.ts';

const view: View<AuditEntry> = {
  columns: [
    { field: 'seq', shown: 'table' },
    { field: 'at', shown: 'table', time: true },
    { field: 'actor_kind', header: 'BY', shown: 'table' },
    { field: 'actor_id', header: 'ACTOR', shown: 'wide' },
    { field: 'operation', shown: 'table' },
    { field: 'object_kind', header: 'OBJECT', shown: 'table' },
    { field: 'object_id', header: 'ID', shown: 'table' },
    { field: 'token_id', header: 'TOKEN', shown: 'asked' },
    { field: 'request_id', header: 'REQUEST', shown: 'wide' },
    { field: 'before', shown: 'asked' },
    { field: 'after', shown: 'wide' },
  ],
  name: (entry) => String(entry.seq),
};

export async function listAudit(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { flags } = call;
  const api = await apiOf(call);
  const filter = {
    operation: flags.text('operation'),
    actor_id: flags.text('actor'),
    object_id: flags.text('object'),
  };
  let after = flags.integer('after');
  // Lines follow the log from number to number and miss nothing; a screen shows its end.
  const follows = flags.on('watch') && !drawsScreen(call);
  await printList(call, {
    what: 'entries',
    whenEmpty: 'Every change makes one.',
    async ask({ limit }) {
      const reply = await api.get('/api/audit', { query: { ...filter, limit, after } });
      if (follows) after = reply.body.items.at(-1)?.seq ?? after;
      return reply;
    },
    view: () => view,
    key: 'seq',
    isLog: true,
  });
}
