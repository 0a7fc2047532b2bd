import { exchange, inOrg, signedIn } from '../../api/api.ts';
import { connectionOf, type ApiAccess } from '../../api/connection.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { ValueKind } from '../../command-line/flag-spec.ts';
import { candidateCache, type CandidateCache, type Kept } from './cache.ts';
import { candidatesIn, type Source } from './sources.ts';

/** Items read of a list that selects by text, and of any other. At most 200 candidates are shown. */
const [selectedSize, wholeSize] = [200, 1_000];

interface ListBody {
  items: Readonly<Record<string, unknown>>[];
  next_cursor?: string;
}

/** The service of a line, and the names that it gave lately. Rejects without a token. */
export async function candidateReader(call: Invocation, kind: ValueKind, source: Source) {
  const connection = signedIn(await connectionOf(call));
  const org = call.flags.text('org') ?? '';
  const scope = [connection.baseUrl, connection.profile.name, connection.token ?? '', org, kind];
  const cache: CandidateCache = candidateCache(call.environment.cacheDirectory, scope);
  return {
    cache,
    /** Reads the candidates for this text, and keeps them. */
    async read(typed: string, signal: AbortSignal): Promise<Kept> {
      const access = await inOrg(call, connection);
      const pages = await Promise.all(
        (source.lists ?? []).map(async ({ path, newestFirst = false, selects = false, activeOnly = false }) => {
          const plain = new URLSearchParams({ limit: String(selects ? selectedSize : wholeSize) });
          const query = new URLSearchParams(plain);
          if (activeOnly) query.set('active', 'true');
          if (newestFirst) query.set('order', 'desc');
          if (selects && typed !== '') query.set('q', typed);
          return page(call, access, `${path}?${query.toString()}`, `${path}?${plain.toString()}`, signal);
        }),
      );
      const selected = (source.lists ?? []).some(({ selects }) => selects) && pages.every(({ isPlain }) => !isPlain);
      const response: Kept = {
        atMs: Date.now(),
        asked: selected ? typed : '',
        // Of a list that does not select, a longer text would get the same.
        isComplete: !selected || pages.every(({ body }) => body.next_cursor === undefined),
        candidates: candidatesIn(
          source,
          pages.map(({ body }) => body.items),
        ),
      };
      // Names that cannot be kept are read again next time.
      await cache.keep(response).catch(() => undefined);
      return response;
    },
  };
}

/** A service of an earlier version refuses parameters that it does not know: then the list without them. */
async function page(
  call: Invocation,
  access: ApiAccess,
  path: string,
  plainPath: string,
  signal: AbortSignal,
): Promise<{ body: ListBody; isPlain: boolean }> {
  const get = (each: string) => exchange(call, access, { method: 'GET', url: access.baseUrl + each, signal });
  const reply = await get(path);
  const isPlain = reply.status === 400 && path !== plainPath;
  const { status, body } = isPlain ? await get(plainPath) : reply;
  if (status !== 200) throw new Error(`the list was refused with ${status}`);
  return { body: JSON.parse(body.toString('utf8')) as ListBody, isPlain };
}
