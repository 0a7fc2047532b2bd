import type { Api } from './api.ts';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { isId } from '../command-line/id.ts';
import { notFound } from './not-found.ts';
import { idByEnd } from './short-ids.ts';
import { spellingsOf } from '../command-line/spellings.ts';

interface Named {
  id: string;
  label: string;
  /** Distinguishes objects of the same name. */
  detail: string;
}

type Kind = 'site' | 'fleet' | 'robot' | 'user';

/**
 * The id of the only object with this name, in any letter case, or with this short id, or the id itself; a name comes
 * first. A fleet can be named with its site: `Osaka/pickers`. Throws if there is none, or more than one.
 */
export async function idOf(api: Api, kind: Kind, text: string, siteId?: string): Promise<string> {
  if (isId(text)) return text;
  for (const spelling of spellingsOf(text)) {
    const found = await finders[kind](api, spelling, siteId);
    const [only, ...others] = found;
    if (only && others.length === 0) return only.id;
    if (only) throw kind === 'fleet' ? await ambiguousFleet(api, text, found) : ambiguous(kind, text, found);
    const inSite = kind === 'fleet' && siteId === undefined ? await fleetInSite(api, spelling) : undefined;
    if (inSite !== undefined) return inSite;
  }
  const id = await idByEnd(api, kind, text);
  if (id !== undefined) return id;
  throw await missing(api, kind, text, siteId);
}

/** The objects with this name, or a first page of all without a name. */
const finders: Record<Kind, (api: Api, name: string | undefined, siteId: string | undefined) => Promise<Named[]>> = {
  site: async (api, name) => {
    const { body } = await api.get('/api/sites', { query: { name, limit: 1000 } });
    return body.items.map((site) => ({ id: site.id, label: site.name, detail: `created ${site.created_at}` }));
  },
  fleet: async (api, name, siteId) => {
    const { body } = await api.get('/api/fleets', { query: { name, site_id: siteId, limit: 1000 } });
    return body.items.map((fleet) => ({ id: fleet.id, label: fleet.name, detail: fleet.site_id }));
  },
  robot: async (api, name) => {
    const { body } = await api.get('/api/robots', { query: { name, limit: 1000 } });
    const retired =
      name === undefined || body.items.length > 0
        ? []
        : (await api.get('/api/robots', { query: { name, retired: true } })).body.items;
    return [...body.items, ...retired].map((robot) => ({
      id: robot.id,
      label: robot.name,
      detail: `fleet ${robot.fleet_id}`,
    }));
  },
  user: async (api, name) => {
    const { body } = await api.get('/api/users', { query: { email: name?.toLowerCase(), limit: 1000 } });
    return body.items.map((user) => ({ id: user.id, label: user.email, detail: user.role }));
  },
};

/** The id of a fleet named `site/fleet`. Both names can contain slashes. */
async function fleetInSite(api: Api, text: string): Promise<string | undefined> {
  for (let slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', slash + 1)) {
    const [siteName, fleetName] = [text.slice(0, slash), text.slice(slash + 1)];
    if (siteName === '' || fleetName === '') continue;
    const siteId = isId(siteName) ? siteName : (await finders.site(api, siteName, undefined))[0]?.id;
    const fleets = siteId === undefined ? [] : await finders.fleet(api, fleetName, siteId);
    if (fleets[0]) return fleets[0].id;
  }
  return undefined;
}

async function ambiguousFleet(api: Api, text: string, found: readonly Named[]): Promise<CliError> {
  const sites = new Map((await finders.site(api, undefined, undefined)).map(({ id, label }) => [id, label]));
  const candidates = found.slice(0, 10).map(({ label, detail }) => `${sites.get(detail) ?? detail}/${label}`);
  const more = found.length > 10 ? `, and ${found.length - 10} more` : '';
  return new CliError(`${found.length} fleets are named "${text}": ${candidates.join(', ')}${more}`, {
    code: 'bad_request',
    exit: exitCode.usage,
    hint: 'Name one of them with its site, or by ID.',
  });
}

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
