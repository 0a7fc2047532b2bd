import { parse } from 'node:path';
import { apiOf, type Api, type Release, type ReleaseCreate } from '../../api/api.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { safeText } from '../../output/safe.ts';
import { amount } from '../../output/units.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { printList } from '../lists.ts';
import { artifactOf } from './releases-artifact.ts';
import { uploadArtifact } from './releases-upload.ts';
import { printObject } from '../shared.ts';
import { signatureOf } from '../signing/signature.ts';

const usualKind = 'container_image';

const fileText = ({ artifact_stored: isStored }: Release) => (isStored ? 'stored' : 'none');

const view: View<Release> = {
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'tag', shown: 'table' },
    { field: 'kind', shown: 'table' },
    { field: 'artifact_size', header: 'SIZE', shown: 'table', text: ({ artifact_size: bytes }) => amount(bytes) },
    { field: 'artifact_sha256', header: 'SHA-256', shown: 'wide', whole: true },
    { field: 'notes', shown: 'wide' },
    { field: 'created_at', header: 'CREATED', shown: 'table', time: true },
    { field: 'signature', shown: 'asked' },
    { field: 'key_id', shown: 'asked' },
    // Added last: scripts rely on the positions of the columns before it.
    { field: 'artifact_stored', header: 'FILE', shown: 'table', text: fileText },
    { field: 'archived_at', header: 'ARCHIVED', shown: 'asked', time: true },
  ],
  name: (release) => release.tag,
};

const archivedView: View<Release> = {
  ...view,
  columns: view.columns.map((column) => (column.field === 'archived_at' ? { ...column, shown: 'table' } : column)),
};

/** A single release is shown in full: people compare its hash. */
export const oneView: View<Release> = {
  ...archivedView,
  columns: archivedView.columns.map((column) => (column.shown === 'wide' ? { ...column, shown: 'table' } : column)),
};

/** The response to the create request precedes the upload of the file. */
const uploadedView: View<Release> = {
  ...oneView,
  columns: oneView.columns.filter(({ field }) => field !== 'artifact_stored'),
};

export async function listReleases(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const archived = call.flags.on('archived');
  const filter = { tag: call.flags.text('tag'), kind: call.flags.text('kind'), archived };
  const api = await apiOf(call);
  await printList(call, {
    what: archived ? 'archived releases' : 'releases',
    whenEmpty: archived ? '' : 'Create one: cli releases push <path>',
    ask: (page) => api.get('/api/releases', { query: { ...page, ...filter } }),
    view: () => (archived ? archivedView : view),
    key: 'id',
  });
}

export async function pushRelease(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { args, flags, io } = call;
  const [path = ''] = args;
  const tag = flags.text('tag') ?? tagOf(path);
  const [notes, signature] = [flags.text('notes'), signatureOf(call)];
  const isUploaded = flags.on('upload');
  if (isUploaded && path === '-')
    throw usage('--upload cannot read from stdin', 'Write it to a file and push the file');
  // Fails before a large file is read if the caller is not signed in.
  const api = await apiOf(call);
  const artifact = await artifactOf(call, path);
  const reply = await created(api, {
    artifact_sha256: artifact.sha256,
    artifact_size: artifact.size,
    tag,
    kind: flags.text('kind') ?? usualKind,
    ...(notes !== undefined && { notes }),
    ...signature,
  });
  await printObject(call, reply, isUploaded ? uploadedView : oneView);
  if (!flags.isGiven('kind'))
    io.aside(`The kind is ${usualKind}, the default. For another one: --kind file|archive|script`);
  if (reply.status === 200) io.note('It was there already, with this artifact: nothing was changed.');
  if (reply.body.data.archived_at !== undefined)
    io.note(safeText(`It is archived. To deploy it, first: cli releases unarchive ${reply.body.data.id}`));
  if (isUploaded) {
    const isNew = await uploadArtifact(call, api, path, artifact);
    io.note(isNew ? 'Uploaded: robots get the file from the service.' : 'The service has the file already.');
  }
  if (reply.status !== 200) io.aside(`Created. Next: cli deploy ${tag} --fleet <fleet> --watch`);
}

/** The file name without its extension, the part after the last dot. */
function tagOf(path: string): string {
  if (path === '-') throw usage('a release from stdin requires a tag', 'Add --tag <tag>');
  return parse(path).name;
}

async function created(api: Api, body: ReleaseCreate) {
  try {
    return await api.post('/api/releases', { body });
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'conflict') throw error;
    throw error.with({ hint: 'The tag belongs to another artifact. Use a new tag: --tag <tag>' });
  }
}
