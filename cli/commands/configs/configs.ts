import { apiOf, type Api, type Config, type ConfigRevision } from '../../api/api.ts';
import { either, notFound } from '../../api/not-found.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { printList } from '../lists.ts';
import { isId } from '../../command-line/id.ts';

const usualNamespace = 'default';

/** Shown as JSON, which distinguishes the text `1.2` from the number. */
const valueText = ({ value }: { value?: unknown }) => JSON.stringify(value ?? null);

export const configView: View<Config> = {
  columns: [
    { field: 'id', shown: 'wide' },
    { field: 'namespace', shown: 'table' },
    { field: 'key', shown: 'table', whole: true },
    { field: 'value', shown: 'table', text: valueText },
    { field: 'revision', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'updated_at', header: 'SET', shown: 'table', time: true },
  ],
  name: (config) => config.key,
};

const revisionView: View<ConfigRevision> = {
  columns: [
    { field: 'config_id', shown: 'asked' },
    { field: 'revision', shown: 'table' },
    { field: 'value', shown: 'table', text: valueText },
    { field: 'created_at', header: 'SET', shown: 'table', time: true },
  ],
  name: (revision) => String(revision.revision),
};

export const namespaceOf = ({ flags }: Invocation) => flags.text('namespace') ?? usualNamespace;

export async function listConfigs(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, configView)) return;
  const filter = { namespace: call.flags.text('namespace'), key: call.flags.text('key') };
  const api = await apiOf(call);
  await printList(call, {
    what: 'entries',
    whenEmpty: 'Set one: cli configs set <key> <value>',
    ask: (page) => api.get('/api/configs', { query: { ...page, ...filter } }),
    view: () => configView,
    key: 'id',
  });
}

/** `configs show`: the key's past and present values. */
export async function showConfig(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, revisionView)) return;
  const api = await apiOf(call);
  const id = await configIdOf(api, call.args[0] ?? '', namespaceOf(call));
  await printList(call, {
    what: 'revisions',
    whenEmpty: '',
    ask: (page) => api.get('/api/config-revisions', { query: { ...page, config_id: id } }),
    view: () => revisionView,
    key: 'revision',
  });
}

/** The id of the entry with exactly this key in the namespace, or the id itself. */
export async function configIdOf(api: Api, text: string, namespace: string): Promise<string> {
  if (isId(text)) return text;
  const { body } = await api.get('/api/configs', { query: { key: text, namespace, limit: 1 } });
  const [found] = body.items;
  if (found) return found.id;
  const all = (await api.get('/api/configs', {})).body.items;
  const elsewhere = all.filter(({ key }) => key === text).map((entry) => entry.namespace);
  throw notFound(
    'config',
    text,
    all.filter((entry) => entry.namespace === namespace).map(({ key }) => key),
    {
      where: `in namespace ${namespace}`,
      next: elsewhere.length === 0 ? undefined : `It is in another namespace: --namespace ${either(elsewhere)}.`,
    },
  );
}
