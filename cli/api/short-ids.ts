import type { Api, Reply } from './api.ts';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { idEndIn, isId } from '../command-line/id.ts';
import { labelIn, listPathOf, pluralOf, type Kind } from './not-found.ts';

/** Objects that one org has, by the lists that select by the end of an id. */
type ShortKind = Exclude<Kind, 'org'>;

type Item = Readonly<Record<string, unknown>>;

/** Candidates in the message for an ambiguous text. */
const maxCandidates = 10;

/**
 * The id of the only object whose id ends with the text, as tables print it. Undefined if there is none, or if the text
 * cannot be the end of an id. Throws CliError for several.
 */
export async function idByEnd(api: Api, kind: ShortKind, text: string): Promise<string | undefined> {
  const end = idEndIn(text);
  if (end === undefined) return undefined;
  const items = await itemsOf(api, kind, { id_end: end, limit: maxCandidates + 1 });
  const [only] = items;
  if (items.length < 2) return only?.id;
  const shown = items.slice(0, maxCandidates).map((item) => `${item.id} (${describe(kind, item)})`);
  const rest = items.length > maxCandidates ? ', and more' : '';
  throw new CliError(`the IDs of several ${pluralOf(kind)} end with "${text}"`, {
    code: 'bad_request',
    exit: exitCode.usage,
    hint: `Type more of it, or a whole ID: ${shown.join(', ')}${rest}`,
  });
}

/**
 * The id of an object without a name: as typed, or by its end. Any other text is returned unchanged: the service
 * reports it as not found.
 */
export const wholeIdOf = async (api: Api, kind: ShortKind, text: string): Promise<string> =>
  isId(text) ? text : ((await idByEnd(api, kind, text)) ?? text);

/** A service that does not know the filter finds nothing: the text is then an unknown name. */
async function itemsOf(api: Api, kind: ShortKind, query: object): Promise<(Item & { id: string })[]> {
  // The lists of all these kinds have this filter and this envelope.
  const get = api.get as unknown as (
    path: string,
    init: object,
  ) => Promise<Reply<{ items: (Item & { id: string })[] }>>;
  return get(listPathOf(kind), { query }).then(
    ({ body }) => body.items,
    (error: unknown) => {
      if (error instanceof CliError && error.code === 'bad_request') return [];
      throw error;
    },
  );
}

const describe = (kind: Kind, item: Item): string => {
  const label = labelIn(kind, item) ?? item['label'] ?? item['status'];
  return `${typeof label === 'string' ? `${label}, ` : ''}created ${String(item['created_at'])}`;
};
