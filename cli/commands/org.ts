import { apiOf, type Org } from '../api/api.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printObject } from './shared.ts';

const view: View<Org> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'status', shown: 'table' },
    { field: 'record_shells', header: 'RECORDS SHELLS', shown: 'table' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'approved_at', header: 'APPROVED', shown: 'wide', time: true },
    { field: 'suspended_at', header: 'SUSPENDED', shown: 'wide', time: true },
  ],
  name: (org) => org.name,
};

export async function showOrg(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  await printObject(call, await (await apiOf(call)).get('/api/org', {}), view);
}

export async function updateOrg(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const isOn = call.flags.text('record-shells') === 'on'; // parsing accepts only on and off
  const reply = await api.patch('/api/org', { body: { record_shells: isOn } });
  await printObject(call, reply, view, 'Changed, from the next shell on.');
}
