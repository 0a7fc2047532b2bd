import type { Api } from './api.ts';
import { isSameName } from '../command-line/spellings.ts';
import { notFound } from './not-found.ts';
import { idByEnd } from './short-ids.ts';

/**
 * ID of the only one of `items`, which are all of the org, with this name or short ID; a name comes first.
 * @throws CliError if there is none
 */
export async function idAmong(
  api: Api,
  kind: 'rollout policy' | 'disruption budget' | 'log redaction rule',
  text: string,
  items: readonly { id: string; name: string }[],
): Promise<string> {
  const id = items.find(({ name }) => isSameName(name, text))?.id ?? (await idByEnd(api, kind, text));
  if (id !== undefined) return id;
  throw notFound(
    kind,
    text,
    items.map(({ name }) => name),
  );
}
