import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { isId, shortId } from '../command-line/id.ts';
import { nearby } from '../command-line/suggest.ts';

interface Listed {
  plural: string;
  /** The command that lists them. */
  command: string;
  /** The list's path; a single object is below it, by its id. */
  path: string;
  /** The field by which people name one. */
  label: string;
}

const listed = {
  robot: { plural: 'robots', command: 'cli robots list', path: '/api/robots', label: 'name' },
  fleet: { plural: 'fleets', command: 'cli fleets list', path: '/api/fleets', label: 'name' },
  site: { plural: 'sites', command: 'cli sites list', path: '/api/sites', label: 'name' },
  user: { plural: 'users', command: 'cli users list', path: '/api/users', label: 'email' },
  release: { plural: 'releases', command: 'cli releases list', path: '/api/releases', label: 'tag' },
  deployment: { plural: 'deployments', command: 'cli deployments list', path: '/api/deployments', label: 'id' },
  'config deployment': {
    plural: 'config deployments',
    command: 'cli configs deployments',
    path: '/api/configs/deployments',
    label: 'id',
  },
  config: { plural: 'configs', command: 'cli configs list', path: '/api/configs', label: 'key' },
  'enrollment key': {
    plural: 'enrollment keys',
    command: 'cli keys list',
    path: '/api/enrollment-keys',
    label: 'id',
  },
  'condition rule': {
    plural: 'condition rules',
    command: 'cli conditions list',
    path: '/api/condition-rules',
    label: 'name',
  },
  'maintenance window': {
    plural: 'maintenance windows',
    command: 'cli maintenance list',
    path: '/api/maintenance-windows',
    label: 'id',
  },
  'rollout policy': {
    plural: 'rollout policies',
    command: 'cli policies list',
    path: '/api/rollout-policies',
    label: 'name',
  },
  'disruption budget': {
    plural: 'disruption budgets',
    command: 'cli budgets list',
    path: '/api/disruption-budgets',
    label: 'name',
  },
  'log redaction rule': {
    plural: 'log redaction rules',
    command: 'cli redactions list',
    path: '/api/log-redactions',
    label: 'name',
  },
  token: { plural: 'tokens', command: 'cli tokens list', path: '/api/tokens', label: 'id' },
  recording: { plural: 'shell sessions', command: 'cli sessions list', path: '/api/shell-sessions', label: 'id' },
  org: { plural: 'orgs', command: 'cli admin orgs list', path: '/api/admin/orgs', label: 'name' },
} as const satisfies Record<string, Listed>;

export type Kind = keyof typeof listed;

/** What a request named, and the service does not have. */
export interface Missing {
  kind: Kind;
  /** As sent; undefined if the request does not show it. */
  text: string | undefined;
}

/** The values that a request names. */
export interface Sent {
  path?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

interface Details {
  /** Where it was looked up, after `not found`. */
  where?: string | undefined;
  /** The next step, if it is better than a near name. */
  next?: string | undefined;
}

/** The error for a name that the client looked up in vain; `labels` are those that exist. */
export const notFound = (
  kind: Kind,
  text: string,
  labels: readonly string[],
  { where, next }: Details = {},
): CliError =>
  new CliError(`${kind} "${text}" not found${where === undefined ? '' : ` ${where}`}`, {
    code: 'not_found',
    exit: exitCode.notFound,
    hint: next === undefined ? nextStep(kind, nearby(text, labels)) : `${next} ${listHint(kind)}`,
  });

/** `Did you mean …? List robots with: cli robots list`; without a near one only the latter. */
export const nextStep = (kind: Kind, near: readonly string[]) =>
  near.length === 0 ? listHint(kind) : `Did you mean ${either(near)}? ${listHint(kind)}`;

const listHint = (kind: Kind) => `List ${listed[kind].plural} with: ${listed[kind].command}`;

/** `a`, `a or b`, `a, b or c`. */
export function either(words: readonly string[]): string {
  const shown = words.map((word) => (/\s/.test(word) ? `"${word}"` : word));
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} or ${last}`;
}

/** What a 404 is about: by its message, and by the path, a template or a real one. Undefined for anything else. */
export function missingIn(message: string, path: string, { path: values, body }: Sent = {}): Missing | undefined {
  const noun = /^([a-z ]+) not found$/.exec(message)?.[1] ?? '';
  const name = noun === 'deployment' && path.startsWith('/api/configs/') ? 'config deployment' : noun;
  if (!isKind(name) || (name === 'org' && !path.startsWith('/api/admin/'))) return undefined;
  const [, segment] = path.startsWith(`${listed[name].path}/`)
    ? (/^\/([^/?]+)/.exec(path.slice(listed[name].path.length)) ?? [])
    : [];
  if (segment !== undefined) return { kind: name, text: segment === '{id}' ? textOf(values?.['id']) : segment };
  const fields = (body ?? {}) as Record<string, unknown>;
  const target = fields['target_kind'] === name ? fields['target_id'] : undefined;
  return { kind: name, text: textOf(fields[`${name}_id`] ?? target) };
}

const isKind = (name: string): name is Kind => Object.hasOwn(listed, name);
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The list that has the candidates. */
export const listPathOf = (kind: Kind): string => listed[kind].path;

export const pluralOf = (kind: Kind): string => listed[kind].plural;

/** What people call this object; undefined for kinds that are named by their ids. */
export function labelIn(kind: Kind, item: object): string | undefined {
  const { label } = listed[kind];
  return label === 'id' ? undefined : textOf((item as Record<string, unknown>)[label]);
}

/** The near ones in that list: ids for an id, else what people call them, or short ids. */
export function nearIn(items: readonly object[], { kind, text }: Missing): string[] {
  if (text === undefined) return [];
  const labels = items.flatMap((item) => {
    const id = textOf((item as { id?: unknown }).id) ?? '';
    return isId(text) ? id : (labelIn(kind, item) ?? shortId(id));
  });
  return nearby(text, labels);
}
