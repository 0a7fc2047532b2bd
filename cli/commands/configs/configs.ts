import { apiOf, type Api, type Config, type ConfigRevision } from '../../api/api.ts';
import { either, notFound } from '../../api/not-found.ts';
import { idByEnd } from '../../api/short-ids.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { printList } from '../lists.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printObject } from '../shared.ts';
import { CliError } from '../../command-line/errors.ts';
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
    { field: 'deleted_at', header: 'DELETED', shown: 'asked', time: true },
  ],
  name: (config) => config.key,
};

const deletedView: View<Config> = {
  ...configView,
  columns: configView.columns.map((column) => (column.shown === 'asked' ? { ...column, shown: 'table' } : column)),
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
  const isDeleted = call.flags.on('deleted');
  const filter = {
    namespace: call.flags.text('namespace'),
    key: call.flags.text('key'),
    deleted: isDeleted ? true : undefined,
  };
  const api = await apiOf(call);
  await printList(call, {
    what: isDeleted ? 'deleted entries' : 'entries',
    whenEmpty: isDeleted ? '' : 'Set one: cli configs set <key> <value>',
    ask: (page) => api.get('/api/configs', { query: { ...page, ...filter } }),
    view: () => (isDeleted ? deletedView : configView),
    sortedBy: ({ namespace, key }) => `${namespace}/${key}`,
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

export async function deleteConfig(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, configView)) return;
  const [key = ''] = call.args;
  const cancels = call.flags.on('cancel-deployments');
  const api = await apiOf(call);
  const id = await configIdOf(api, key, namespaceOf(call));
  const query = { cancel_deployments: cancels ? true : undefined };
  await confirmEffect(call, async () => {
    const config = (await api.get('/api/configs', { query: { id } })).body.items[0];
    return {
      title: `Delete ${config ? `${config.namespace}/${config.key}` : key}`,
      facts: [
        ['Revision', config && String(config.revision)],
        ['Deployments', cancels ? 'active ones are cancelled' : undefined],
        ['Effect', 'robots that have the value keep it; new robots do not get it'],
      ],
    };
  });
  await printObject(
    call,
    await api.delete('/api/configs/{id}', { path: { id }, query }).catch((error: unknown) => {
      const isInUse = error instanceof CliError && error.code === 'conflict' && !cancels;
      throw isInUse ? error.with({ hint: inUseHint }) : error;
    }),
    configView,
    'Deleted. Robots that have the value keep it; new robots do not get it.',
  );
}

const inUseHint = 'Cancel each with: cli configs cancel <id>. Or cancel all and delete: add --cancel-deployments';

/** The id of the entry with exactly this key in the namespace, also of a deleted one, or this short id, or the id itself. */
export async function configIdOf(api: Api, text: string, namespace: string): Promise<string> {
  if (isId(text)) return text;
  const named = async (deleted?: true) =>
    (await api.get('/api/configs', { query: { key: text, namespace, deleted, limit: 1 } })).body.items[0];
  const foundId = ((await named()) ?? (await named(true)))?.id ?? (await idByEnd(api, 'config', text));
  if (foundId !== undefined) return foundId;
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
