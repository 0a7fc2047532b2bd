import { apiOf, type AuditAnchor, type AuditEntry } from '../api/api.ts';
import { answeredFieldsHelp, drawsScreen, type View } from '../output/view.ts';
import { isId, shortId } from '../command-line/id.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printList } from './lists.ts';
import { idOf } from '../api/names.ts';
import { humanize } from '../output/deployment-format.ts';
import { nameLookup, noNames, type NameKind, type Names } from './name-lookup.ts';

const view = (names: Names = noNames): View<AuditEntry> => ({
  columns: [
    { field: 'seq', shown: 'table' },
    { field: 'at', shown: 'table', time: true },
    { field: 'actor_kind', header: 'KIND', shown: 'wide' },
    { field: 'actor_id', header: 'BY', shown: 'table', text: (entry) => actorOf(entry, names) },
    { field: 'operation', shown: 'table', whole: true },
    {
      field: 'object_kind',
      header: 'OBJECT',
      shown: 'table',
      text: ({ object_kind: kind, object_id: id }) =>
        `${humanize(kind)} ${names.get(id) ?? (isId(id) ? shortId(id) : id)}`,
    },
    { field: 'object_id', header: 'ID', shown: 'wide' },
    { field: 'token_id', header: 'TOKEN', shown: 'asked' },
    { field: 'request_id', header: 'REQUEST', shown: 'wide' },
    { field: 'before', shown: 'asked' },
    { field: 'after', shown: 'wide' },
    { field: 'hash', shown: 'asked' },
  ],
  name: (entry) => String(entry.seq),
});

/**
 * A user by email address, else the kind and name: `org Acme`, `key dock 3`, `admin`. A removed actor has only an id.
 */
function actorOf({ actor_kind: kind, actor_id: id }: AuditEntry, names: Names): string {
  const name = id === undefined ? '' : (names.get(id) ?? id);
  if (kind === 'user' && name !== '') return name;
  return `${kind === 'enroll' ? 'key' : kind} ${name}`.trimEnd();
}

/** Which list has the name of an actor or object; any other kind has none. */
const kinds: Partial<Record<string, NameKind>> = {
  user: 'users',
  robot: 'robots',
  site: 'sites',
  fleet: 'fleets',
  release: 'releases',
  config: 'configs',
  org: 'org',
  enroll: 'keys',
  enrollment_key: 'keys',
};

export async function listAudit(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const { flags } = call;
  const api = await apiOf(call);
  const actor = flags.text('actor');
  const filter = {
    operation: flags.text('operation'),
    actor_id: actor?.includes('@') ? await idOf(api, 'user', actor) : actor,
    object_id: flags.text('object'),
  };
  let after = flags.integer('after');
  // Lines follow the log by sequence number and miss no entry; a screen shows its end.
  const follows = flags.on('watch') && !drawsScreen(call);
  const names = nameLookup(api);
  let older: AuditAnchor | undefined;
  await printList(call, {
    what: 'entries',
    whenEmpty: 'Every change adds one.',
    async ask({ limit }) {
      const reply = await api.get('/api/audit', { query: { ...filter, limit, after } });
      const { items, anchor } = reply.body;
      if (isBehind(anchor, { after, items, isFiltered: Object.values(filter).some(Boolean) })) older = anchor;
      if (follows) after = reply.body.items.at(-1)?.seq ?? after;
      return reply;
    },
    view: () => view(names),
    names: (entries) =>
      names.load(
        entries.flatMap((entry) => [
          [kinds[entry.actor_kind], entry.actor_id],
          [kinds[entry.object_kind], entry.object_id],
        ]),
      ),
    key: 'seq',
    isLog: true,
  });
  if (older) call.io.aside(`Entries up to ${older.seq} were exported on ${older.exported_at} and deleted.`);
}

/** Whether entries that were exported and deleted would be in this part of the log. */
function isBehind(
  anchor: AuditAnchor | undefined,
  { after, items, isFiltered }: { after: number | undefined; items: readonly AuditEntry[]; isFiltered: boolean },
): boolean {
  if (!anchor) return false;
  return after === undefined ? isFiltered || items[0]?.seq === anchor.seq + 1 : after < anchor.seq;
}
