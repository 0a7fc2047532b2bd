import { apiOf } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { answeredFieldsHelp } from '../../output/view.ts';
import { releaseOf } from '../deployments/deploy-release.ts';
import { printObject } from '../shared.ts';
import { oneView } from './releases.ts';

export const archiveRelease = (call: Invocation): Promise<void> =>
  setArchived(call, true, 'Archived. Robots that run it keep it. Undo with: cli releases unarchive');

export const unarchiveRelease = (call: Invocation): Promise<void> =>
  setArchived(call, false, 'Available again for deployments.');

async function setArchived(call: Invocation, archived: boolean, done: string): Promise<void> {
  if (answeredFieldsHelp(call, oneView)) return;
  const [text = ''] = call.args;
  const api = await apiOf(call);
  const { id } = await releaseOf(call, api, text, call.flags.text('kind'));
  await printObject(call, await api.patch('/api/releases/{id}', { path: { id }, body: { archived } }), oneView, done);
}
