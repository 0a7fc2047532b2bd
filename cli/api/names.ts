import type { Api } from './api.ts';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { isId } from '../command-line/id.ts';
import { notFound } from './not-found.ts';
import { spellingsOf } from '../command-line/spellings.ts';

interface Named {
  id: string;
  label: string;
  /** Distinguishes objects of the same name. */
  detail: string;
}

type Kind = 'site' | 'fleet' | 'robot' | 'user';

/** The id of the only object with exactly this name, or the id itself. Throws if there is none, or more than one. */
export async function idOf(api: Api, kind: Kind, text: string, siteId?: string): Promise<string> {
  if (isId(text)) return text;
  for (const spelling of spellingsOf(text)) {
    const found = await finders[kind](api, spelling, siteId);
    const [only, ...others] = found;
    if (only && others.length === 0) return only.id;
    if (only) throw ambiguous(kind, text, found);
  }
  throw await missing(api, kind, text, siteId);
}

/** The objects with exactly this name, or a first page of all without a name. */
const finders: Record<Kind, (api: Api, name: string | undefined, siteId: string | undefined) => Promise<Named[]>> = {
  site: async (api, name) => {
    const { body } = await api.get('/api/sites', { query: { name, limit: 1000 } });
    return body.items.map((site) => ({ id: site.id, label: site.name, detail: `created ${site.created_at}` }));
  },
  fleet: async (api, name, siteId) => {
    const { body } = await api.get('/api/fleets', { query: { name, site_id: siteId, limit: 1000 } });
    return body.items.map((fleet) => ({ id: fleet.id, label: fleet.name, detail: `site ${fleet.site_id}` }));
  },
  robot: async (api, name) => {
    const { body } = await api.get('/api/robots', { query: { name, limit: 1000 } });
    return body.items.map((robot) => ({ id: robot.id, label: robot.name, detail: `fleet ${robot.fleet_id}` }));
  },
  user: async (api, name) => {
    const { body } = await api.get('/api/users', { query: { email: name?.toLowerCase(), limit: 1000 } });
    return body.items.map((user) => ({ id: user.id, label: user.email, detail: user.role }));
  },
};

function ambiguous(kind: Kind, text: string, found: readonly Named[]): CliError {
  const candidates = found.slice(0, 10).map(({ id, detail }) => `${id} (${detail})`);
  const more = found.length > 10 ? `, and ${found.length - 10} more` : '';
  return new CliError(`${found.length} ${kind}s are named "${text}"`, {
    code: 'bad_request',
    exit: exitCode.usage,
    hint: `Select one by ID: ${candidates.join(', ')}${more}`,
  });
}

async function missing(api: Api, kind: Kind, text: string, siteId: string | undefined): Promise<CliError> {
  const all = await finders[kind](api, undefined, siteId);
  return notFound(
    kind,
    text,
    all.map(({ label }) => label),
  );
}
