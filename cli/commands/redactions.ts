import { apiOf, type Api, type LogRedaction, type LogRedactionUpdate } from '../api/api.ts';
import { idAmong } from '../api/listed-names.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { usage } from '../command-line/errors.ts';
import { isId } from '../command-line/id.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { confirmEffect } from './effects/effect.ts';
import { printList } from './lists.ts';
import { printObject } from './shared.ts';

const view: View<LogRedaction> = {
  columns: [
    { field: 'id', shown: 'wide' },
    {
      field: 'name',
      shown: 'table',
      text: ({ name, enabled }) => (enabled ? name : `${name}, disabled`),
      tone: ({ enabled }) => (enabled ? undefined : 'quiet'),
    },
    { field: 'pattern', shown: 'table' },
    { field: 'replacement', shown: 'table', dropped: 1 },
    { field: 'enabled', shown: 'wide' },
    { field: 'builtin', shown: 'wide' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'updated_at', header: 'CHANGED', shown: 'wide', time: true },
  ],
  name: ({ name }) => name,
};

/** ID of the rule with this ID, name or short ID. @throws CliError if there is none */
async function ruleIdOf(api: Api, text: string): Promise<string> {
  if (isId(text)) return text;
  return await idAmong(api, 'log redaction rule', text, (await api.get('/api/log-redactions', {})).body.items);
}

export async function listRedactions(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  await printList<LogRedaction>(call, {
    what: 'log redaction rules',
    whenEmpty: 'Create one: cli redactions create <name> --pattern <expression>',
    ask: (page) => api.get('/api/log-redactions', { query: { ...page } }),
    view: () => view,
    sortedBy: ({ name }) => name,
    key: 'id',
  });
}

export async function showRedaction(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await ruleIdOf(api, call.args[0] ?? '');
  await printObject(call, await api.get('/api/log-redactions/{id}', { path: { id } }), view);
}

export async function createRedaction(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [name = ''] = call.args;
  const { pattern = '', ...settings } = settingsOf(call);
  const api = await apiOf(call);
  const reply = await api.post('/api/log-redactions', { body: { name, pattern, ...settings } });
  await printObject(call, reply, view, 'Created.');
}

export async function updateRedaction(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const name = call.flags.text('name');
  const [enable, disable] = [call.flags.on('enable'), call.flags.on('disable')];
  if (enable && disable) throw usage('--enable and --disable exclude each other', 'Omit one');
  const body: LogRedactionUpdate = {
    ...(name !== undefined && { name }),
    ...settingsOf(call),
    ...((enable || disable) && { enabled: enable }),
  };
  if (Object.keys(body).length === 0)
    throw usage('nothing to change', 'Example: cli redactions update door-code --disable');
  const api = await apiOf(call);
  const id = await ruleIdOf(api, call.args[0] ?? '');
  await printObject(call, await api.patch('/api/log-redactions/{id}', { path: { id }, body }), view, 'Changed.');
}

export async function deleteRedaction(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const id = await ruleIdOf(api, call.args[0] ?? '');
  await confirmEffect(call, async () => {
    const { name, pattern } = (await api.get('/api/log-redactions/{id}', { path: { id } })).body.data;
    return {
      title: `Delete log redaction rule ${name}`,
      facts: [
        ['Pattern', pattern],
        ['Log records', 'what it matches is stored'],
      ],
    };
  });
  await printObject(call, await api.delete('/api/log-redactions/{id}', { path: { id } }), view, 'Deleted.');
}

function settingsOf({ flags }: Invocation): Pick<LogRedactionUpdate, 'pattern' | 'replacement'> {
  const [pattern, replacement] = [flags.text('pattern'), flags.text('replacement')];
  return { ...(pattern !== undefined && { pattern }), ...(replacement !== undefined && { replacement }) };
}
