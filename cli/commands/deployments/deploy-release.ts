import type { Api } from '../../api/api.ts';
import { either, notFound } from '../../api/not-found.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
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
    hint: `Select one with --kind: ${body.items.map((release) => release.kind).join(', ')}`,
  });
}

/** The error names near tags, or the other kind if the tag exists there. */
async function missing(api: Api, text: string, kind: string | undefined): Promise<CliError> {
  const { body } = await api.get('/api/releases', {});
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
