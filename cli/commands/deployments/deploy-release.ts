import type { Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { nearest } from '../../command-line/suggest.ts';
import { isId } from '../../command-line/id.ts';

/** The id of the only release with exactly this tag, or the id itself. */
export async function releaseOf(api: Api, text: string, kind: string | undefined): Promise<string> {
  if (isId(text)) return text;
  const { body } = await api.get('/api/releases', { query: { tag: text, kind, limit: 1000 } });
  const [only, ...others] = body.items;
  if (only && others.length === 0) return only.id;
  if (!only) throw await missing(api, text, kind);
  throw new CliError(`${body.items.length} releases are tagged "${text}"`, {
    code: 'bad_request',
    exit: exitCode.usage,
    hint: `Choose one by --kind: ${body.items.map((release) => release.kind).join(', ')}`,
  });
}

/** The error names the newest similar tags, and the other kind if the tag exists there. */
async function missing(api: Api, text: string, kind: string | undefined): Promise<CliError> {
  const { body } = await api.get('/api/releases', {});
  const elsewhere = body.items.filter(({ tag }) => tag === text).map((release) => release.kind);
  const near = similar(
    text,
    body.items.map(({ tag }) => tag),
  );
  const hints = [
    elsewhere.length === 0 ? '' : `It is there as --kind ${elsewhere.join(', ')}`,
    elsewhere.length > 0 || near.length === 0 ? '' : `Similar: ${near.join(', ')}`,
    'List all: cli releases list',
  ];
  return new CliError(`release not found: "${text}"${kind === undefined ? '' : ` of kind ${kind}`}`, {
    code: 'not_found',
    exit: exitCode.notFound,
    hint: hints.filter((hint) => hint !== '').join('   '),
  });
}

const maxSimilar = 3;

/** Tags of the same name in any version, and near misspellings; newest (last) first. */
function similar(text: string, tags: readonly string[]): string[] {
  const name = nameOf(text);
  const found = tags.filter((tag) => (name.length > 1 && nameOf(tag) === name) || nearest(text, [tag]) !== undefined);
  return [...new Set(found.reverse())].slice(0, maxSimilar);
}

/** `nav` of `nav-1.8.2` and of `Nav_v2`. */
const nameOf = (tag: string) => /^(.*?)[-_.v]*(?:\d.*)?$/.exec(tag.toLowerCase())?.[1] ?? '';
