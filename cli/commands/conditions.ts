import {
  apiOf,
  type Api,
  type ConditionMatch,
  type ConditionRule,
  type ConditionScope,
  type ConditionScopeChoice,
  type Severity,
} from '../api/api.ts';
import { idOf } from '../api/names.ts';
import { notFound } from '../api/not-found.ts';
import { idByEnd } from '../api/short-ids.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { usage } from '../command-line/errors.ts';
import { isId } from '../command-line/id.ts';
import { isSameName } from '../command-line/spellings.ts';
import { answeredFieldsHelp, needsNames, type View } from '../output/view.ts';
import { printList } from './lists.ts';
import { isDryRun } from '../command-line/dry-run.ts';
import { confirmEffect, type Effect } from './effects/effect.ts';
import { printObject } from './shared.ts';
import { nameLookup, noNames, type Names, type Reference } from './name-lookup.ts';

const view = (names: Names = noNames): View<ConditionRule> => ({
  columns: [
    { field: 'id', shown: 'wide' },
    { field: 'name', shown: 'table' },
    {
      field: 'severity',
      shown: 'table',
      text: ({ severity, enabled }) => (enabled ? severity : `${severity}, disabled`),
      tone: ({ severity, enabled }) => (!enabled ? 'quiet' : severity === 'unhealthy' ? 'bad' : 'warn'),
    },
    { field: 'expression', shown: 'table' },
    { field: 'for', shown: 'table' },
    { field: 'clear', shown: 'table', dropped: 2 },
    { field: 'scope', shown: 'table', text: ({ scope }) => scopeText(scope, names), dropped: 1 },
    { field: 'enabled', shown: 'wide' },
    { field: 'builtin', shown: 'wide' },
    { field: 'created_at', header: 'CREATED', shown: 'wide', time: true },
    { field: 'updated_at', header: 'CHANGED', shown: 'wide', time: true },
  ],
  name: ({ name }) => name,
});

function scopeText({ kind, id = '', selector }: ConditionScope, names: Names): string {
  if (kind === 'site') return `site ${names.get(id) ?? id}`;
  if (kind === 'fleet') return `fleet ${names.get(id) ?? id}`;
  return kind === 'label' ? (selector ?? '') : 'all robots';
}

const placeIn = ({ scope: { kind, id } }: ConditionRule): Reference => [
  kind === 'site' ? 'sites' : kind === 'fleet' ? 'fleets' : undefined,
  id,
];

export async function listConditions(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const names = nameLookup(api);
  await printList(call, {
    what: 'condition rules',
    whenEmpty: 'Create one: cli conditions create <name> "<expression>"',
    ask: (page) => api.get('/api/condition-rules', { query: { ...page } }),
    view: () => view(names),
    names: (rules) => names.load(rules.map(placeIn)),
    sortedBy: ({ name }) => name,
    key: 'id',
  });
}

export async function showCondition(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = (await ruleOf(api, call.args[0] ?? '')).id;
  const reply = await api.get('/api/condition-rules/{id}', { path: { id } });
  const names = nameLookup(api);
  if (needsNames(call, view())) await names.load([placeIn(reply.body.data)]);
  await printObject(call, reply, view(names));
}

export async function createCondition(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [name = '', text = ''] = call.args;
  const { flags } = call;
  const api = await apiOf(call);
  const [scope, clear] = [await scopeOf(api, call), flags.text('clear')];
  if (isDryRun(call)) await confirmEffect(call, () => ruleEffect(api, name, splitFor(text).expression, scope));
  const reply = await api.post('/api/condition-rules', {
    body: {
      name,
      ...splitFor(text),
      severity: flags.text('severity') === 'unhealthy' ? 'unhealthy' : 'degraded',
      ...(clear !== undefined && { clear }),
      ...(scope && { scope }),
    },
  });
  await printObject(call, reply, view(), 'Created. Robots with it: cli robots list --condition <name>');
}

export async function updateCondition(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const { flags } = call;
  if (flags.on('enable') && flags.on('disable')) throw usage('--enable and --disable exclude each other', 'Omit one');
  const place = ['site', 'fleet', 'label'].find((name) => flags.isGiven(name));
  if (flags.on('all-robots') && place !== undefined)
    throw usage(`--all-robots and --${place} exclude each other`, 'Omit one');
  const api = await apiOf(call);
  const [name, text, clear, severity] = ['name', 'expression', 'clear', 'severity'].map((flag) => flags.text(flag));
  const scope = flags.on('all-robots') ? { kind: 'org' as const } : await scopeOf(api, call);
  const body = {
    ...(name !== undefined && { name }),
    ...(text !== undefined && splitFor(text)),
    ...(clear !== undefined && { clear }),
    ...(severity !== undefined && { severity: severity as Severity }), // one of its choices
    ...(scope && { scope }),
    ...(flags.on('enable') && { enabled: true }),
    ...(flags.on('disable') && { enabled: false }),
  };
  if (Object.keys(body).length === 0)
    throw usage('nothing to change', 'Example: cli conditions update battery-low --severity unhealthy');
  const { id } = await ruleOf(api, call.args[0] ?? '');
  await printObject(call, await api.patch('/api/condition-rules/{id}', { path: { id }, body }), view(), 'Changed.');
}

export async function deleteCondition(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const { id } = await ruleOf(api, call.args[0] ?? '');
  await confirmEffect(call, async () => {
    const [rule, summary] = await Promise.all([
      api.get('/api/condition-rules/{id}', { path: { id } }),
      api.get('/api/health-summary', {}),
    ]);
    const { name, expression } = rule.body.data;
    const { conditions } = summary.body.data;
    const robots = conditions.find(({ rule_id: each }) => each === id)?.robots ?? 0;
    return {
      title: `Delete condition rule ${name}`,
      facts: [
        ['Rule', expression],
        ['Robots', `${robots} with the condition, which ends`],
      ],
    };
  });
  await printObject(call, await api.delete('/api/condition-rules/{id}', { path: { id } }), view(), 'Deleted.');
}

/** Robots that an effect names. */
const shownMatches = 5;

const matchView: View<ConditionMatch> = {
  columns: [
    { field: 'robot_id', header: 'ID', shown: 'wide' },
    { field: 'robot_name', header: 'NAME', shown: 'table' },
    { field: 'message', shown: 'table' },
  ],
  name: ({ robot_name: name }) => name,
};

/** A text with an operator or a space is an expression; another one is a rule's name, or a flag such as `estop`. */
export async function previewCondition(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, matchView)) return;
  const [text = ''] = call.args;
  const api = await apiOf(call);
  const rules = /[<>=!]/.test(text) ? [] : (await api.get('/api/condition-rules', {})).body.items;
  const rule = rules.find(({ id, name }) => id === text || isSameName(name, text));
  const scope = (await scopeOf(api, call)) ?? rule?.scope ?? { kind: 'org' };
  const query = matchQuery(rule?.expression ?? splitFor(text).expression, scope);
  let [matches, evaluated] = [0, 0];
  await printList(call, {
    what: 'matches',
    whenEmpty: 'No robot matches now.',
    async ask() {
      const reply = await api.get('/api/condition-matches', { query });
      ({ matches, evaluated } = reply.body);
      return reply;
    },
    view: () => matchView,
    key: 'robot_id',
    summary: () => `${matches} of ${evaluated} robots match now.`,
  });
}

const matchQuery = (expression: string, scope: ConditionScope) => ({
  expression,
  ...(scope.kind === 'site' && { site_id: scope.id }),
  ...(scope.kind === 'fleet' && { fleet_id: scope.id }),
  ...(scope.kind === 'label' && { label: scope.selector }),
});

/** The robots for which the rule would be true now. The request refuses an expression as the change would. */
async function ruleEffect(
  api: Api,
  name: string,
  expression: string,
  scope: ConditionScopeChoice = { kind: 'org' },
): Promise<Effect> {
  const { items, matches, evaluated } = (
    await api.get('/api/condition-matches', { query: matchQuery(expression, scope) })
  ).body;
  const examples = items.slice(0, shownMatches).map(({ robot_name: robot }) => robot);
  const more = matches > examples.length ? ', …' : '';
  return {
    title: `Create condition rule ${name}`,
    facts: [
      ['Rule', expression],
      [
        'True now',
        `for ${matches} of ${evaluated} robots${examples.length === 0 ? '' : `: ${examples.join(', ')}${more}`}`,
      ],
    ],
  };
}

/** `battery < 20 for 5m`: the expression, and the time for which it must be true. */
function splitFor(text: string): { expression: string; for?: string } {
  const [, expression, time] = /^(.*\S)\s+for\s+(\S+)\s*$/s.exec(text) ?? [];
  return expression === undefined || time === undefined ? { expression: text } : { expression, for: time };
}

async function scopeOf(api: Api, { flags }: Invocation): Promise<ConditionScopeChoice | undefined> {
  const [site, fleet, selector] = ['site', 'fleet', 'label'].map((flag) => flags.text(flag));
  if (selector !== undefined) {
    if (site !== undefined || fleet !== undefined)
      throw usage('--label excludes --site and --fleet', 'Use a label that only those robots have');
    return { kind: 'label', selector };
  }
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  if (fleet !== undefined) return { kind: 'fleet', id: await idOf(api, 'fleet', fleet, siteId) };
  return siteId === undefined ? undefined : { kind: 'site', id: siteId };
}

/** The rule with this ID, name or short ID. Throws if there is none. */
export async function ruleOf(api: Api, text: string): Promise<{ id: string }> {
  if (isId(text)) return { id: text };
  const { items } = (await api.get('/api/condition-rules', {})).body;
  const rule = items.find(({ name }) => isSameName(name, text));
  if (rule) return rule;
  const id = await idByEnd(api, 'condition rule', text);
  if (id !== undefined) return { id };
  throw notFound(
    'condition rule',
    text,
    items.map(({ name }) => name),
  );
}
