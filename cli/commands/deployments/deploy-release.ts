import type { Api, Release } from '../../api/api.ts';
import { either, notFound } from '../../api/not-found.ts';
import { idByEnd } from '../../api/short-ids.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { isId, latestWord } from '../../command-line/id.ts';
import { safeText } from '../../output/safe.ts';
import { relativeTime } from '../../output/time.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** A release as a line selects it, and its name for messages. */
interface SelectedRelease {
  id: string;
  what: string;
  isArchived: boolean; // as far as the request for it shows
}

/**
 * The release with this tag, id or short id, or the latest one, which stderr then names. A tag comes first, also one
 * that is `latest`: a name always selects the object with that name.
 */
export async function releaseOf(
  call: Invocation,
  api: Api,
  text: string,
  kind: string | undefined,
): Promise<SelectedRelease> {
  if (isId(text)) return { id: text, what: text, isArchived: false };
  const { body } = await api.get('/api/releases', { query: { tag: text, kind, limit: 1000 } });
  const [only, ...others] = body.items;
  if (only && others.length > 0)
    throw ambiguous(call, `${body.items.length} releases are tagged "${text}"`, body.items, (release) => release.kind);
  if (text === latestWord) {
    const newest = only ?? (await latest(call, api, kind));
    const tagged = only ? 'the release tagged "latest"' : newest.tag;
    call.io.note(safeText(`latest is ${tagged} (${newest.kind}), pushed ${relativeTime(newest.created_at)}`));
    return { id: newest.id, what: newest.tag, isArchived: newest.archived_at !== undefined };
  }
  const id = only?.id ?? (await idByEnd(api, 'release', text));
  if (id === undefined) throw await missing(api, text, kind);
  return { id, what: text, isArchived: only?.archived_at !== undefined };
}

/** The newest release that is not archived; of several kinds, none is the latest. */
async function latest(call: Invocation, api: Api, kind: string | undefined): Promise<Release> {
  const { body } = await api.get('/api/releases', {
    query: { kind, archived: false, order: 'desc', limit: kind === undefined ? undefined : 1 },
  });
  // The list is newest first, so the first of a kind is its newest.
  const newest = new Map<string, Release>();
  for (const release of body.items) if (!newest.has(release.kind)) newest.set(release.kind, release);
  const [only, ...others] = newest.values();
  if (only && others.length === 0) return only;
  if (!only)
    throw notFound('release', latestWord, [], {
      where: kind === undefined ? undefined : `with kind ${kind}`,
      next: 'Push one with: cli releases push <path>.',
    });
  throw ambiguous(
    call,
    'releases of several kinds exist, and each kind has a latest one',
    [only, ...others],
    ({ kind: each, tag, created_at: at }) => `${each} (${tag}, pushed ${relativeTime(at)})`,
  );
}

/** Not every command that selects a release has `--kind`. */
function ambiguous(
  { flags }: Invocation,
  message: string,
  releases: readonly Release[],
  textOf: (release: Release) => string,
): CliError {
  const hint = flags.has('kind')
    ? `Select one with --kind: ${releases.map(textOf).join(', ')}`
    : `Use the ID of one: ${releases.map((release) => `${release.id} is ${textOf(release)}`).join(', ')}`;
  return new CliError(message, { code: 'bad_request', exit: exitCode.usage, hint });
}

/** The error names near tags, or the other kind if the tag exists there. */
async function missing(api: Api, text: string, kind: string | undefined): Promise<CliError> {
  const { body } = await api.get('/api/releases', { query: { archived: false } });
  const elsewhere = body.items.filter(({ tag }) => tag === text).map((release) => release.kind);
  return notFound(
    'release',
    text,
    body.items.map(({ tag }) => tag),
    {
      where: kind === undefined ? undefined : `with kind ${kind}`,
      next: elsewhere.length === 0 ? undefined : `It has another kind: --kind ${either(elsewhere)}.`,
    },
  );
}
