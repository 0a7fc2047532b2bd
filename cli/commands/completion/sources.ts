import type { ValueKind } from '../../command-line/flag-spec.ts';
import { latestWord, shortId } from '../../command-line/id.ts';
import type { Candidate } from '../../command-line/completion/position.ts';
import { deploymentStatuses, humanize, targetStatuses } from '../../output/deployment-format.ts';
import { fleetNames } from '../../output/fleet-names.ts';
import { relativeTime } from '../../output/time.ts';

type Item = Readonly<Record<string, unknown>>;

/** One list of the service that has candidates. */
interface ListSource {
  path: string;
  /** The newest are the likely ones; default: the list's order. */
  newestFirst?: boolean;
  /** The list selects by a text of the name, with `q`: for kinds of which an org may have 100,000. Default: false. */
  selects?: boolean;
  /** Only active items. Default: false. */
  activeOnly?: boolean;
  candidate(item: Item): Candidate;
}

/** Where candidates of a kind come from. A new kind is a line here. */
export interface Source {
  /** Words without a request. Default: none. */
  fixed?: readonly Candidate[];
  /** Lists whose items are candidates. Default: none. */
  lists?: readonly ListSource[];
  /** Combines the items of several lists; default: the candidates of each. */
  combine?(lists: readonly (readonly Item[])[]): Candidate[];
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const named = (path: string, field: string, about: (item: Item) => string, more: Partial<ListSource> = {}) => ({
  path,
  candidate: (item: Item): Candidate => ({ word: text(item[field]), about: about(item) }),
  ...more,
});
const ofId = (path: string, about: (item: Item) => string, more: Partial<ListSource> = {}): ListSource => ({
  path,
  newestFirst: true,
  candidate: (item) => ({ word: shortId(text(item['id'])), about: about(item) }),
  ...more,
});
const words = (all: readonly string[]): Source => ({ fixed: all.map((word) => ({ word, about: '' })) });
const latest = (what: string): Candidate => ({ word: latestWord, about: `the newest ${what}` });
const state = (item: Item) => `${humanize(text(item['status']))}, created ${relativeTime(text(item['created_at']))}`;
const wavesIn = (rollout: unknown) => {
  const { waves } = (rollout ?? {}) as { waves?: unknown };
  return Array.isArray(waves) ? `${waves.length} wave${waves.length === 1 ? '' : 's'}` : '';
};
const unique = (candidates: readonly Candidate[]) => [
  ...new Map(candidates.map((candidate) => [candidate.word, candidate])).values(),
];

/** Kinds without an entry have no candidates from the service: files, profiles and orgs have other sources. */
export const sources: Partial<Record<ValueKind, Source>> = {
  robot: {
    lists: [named('/api/robots', 'name', ({ online }) => (online === true ? 'online' : 'offline'), { selects: true })],
  },
  site: { lists: [named('/api/sites', 'name', () => 'site')] },
  fleet: {
    lists: [named('/api/fleets', 'name', () => ''), named('/api/sites', 'name', () => '')],
    combine: ([fleets = [], sites = []]) => fleetWords(fleets, sites),
  },
  release: {
    fixed: [latest('release')],
    lists: [
      named('/api/releases', 'tag', ({ kind, created_at: at }) => `${text(kind)}, pushed ${relativeTime(text(at))}`, {
        newestFirst: true,
      }),
    ],
  },
  'release kind': {
    lists: [named('/api/releases', 'kind', () => 'kind', { newestFirst: true })],
  },
  deployment: { fixed: [latest('deployment')], lists: [ofId('/api/deployments', state)] },
  'config deployment': {
    fixed: [latest('config deployment')],
    lists: [ofId('/api/configs/deployments', (item) => `${text(item['key'])}, ${state(item)}`)],
  },
  'deployment status': words(deploymentStatuses),
  'target status': words(targetStatuses),
  config: {
    lists: [
      named('/api/configs', 'key', ({ namespace, revision }) => `${text(namespace)}, revision ${text(revision)}`),
    ],
  },
  namespace: { lists: [named('/api/configs', 'namespace', () => 'namespace')] },
  'enrollment key': {
    lists: [ofId('/api/enrollment-keys', ({ label, last_four: end }) => text(label) || `ends with ${text(end)}`)],
  },
  'condition rule': { lists: [named('/api/condition-rules', 'name', ({ expression }) => text(expression))] },
  'rollout policy': { lists: [named('/api/rollout-policies', 'name', ({ rollout }) => wavesIn(rollout))] },
  'disruption budget': { lists: [named('/api/disruption-budgets', 'name', ({ selector }) => text(selector))] },
  'log redaction rule': { lists: [named('/api/log-redactions', 'name', ({ pattern }) => text(pattern))] },
  'maintenance window': {
    lists: [
      ofId('/api/maintenance-windows', ({ target_kind: kind, reason }) => `${text(kind)}: ${text(reason)}`, {
        activeOnly: true,
      }),
    ],
  },
  token: {
    lists: [ofId('/api/tokens', ({ kind, label, last_four: end }) => `${text(kind)}, ${text(label) || text(end)}`)],
  },
  recording: { lists: [ofId('/api/shell-sessions', ({ created_at: at }) => `began ${relativeTime(text(at))}`)] },
  user: { lists: [named('/api/users', 'email', ({ role }) => text(role))] },
};

/** A response is not checked: what lacks a name or an ID is left out. */
const namedItem = (item: Item) => ({ id: text(item['id']), name: text(item['name']), site_id: text(item['site_id']) });

function fleetWords(fleets: readonly Item[], sites: readonly Item[]): Candidate[] {
  const siteNames = new Map(sites.map(namedItem).map(({ id, name }) => [id, name]));
  const names = fleetNames(fleets.map(namedItem), sites.map(namedItem));
  return fleets
    .map(namedItem)
    .map(({ id, name, site_id: siteId }) => ({ word: names.get(id) ?? name, about: siteNames.get(siteId) ?? '' }));
}

/** The candidates of these lists, each word once. */
export const candidatesIn = ({ lists = [], combine }: Source, items: readonly (readonly Item[])[]): Candidate[] =>
  unique(combine?.(items) ?? lists.flatMap(({ candidate }, index) => (items[index] ?? []).map(candidate)));
