import { CliError } from '../../command-line/errors.ts';
import { bothTimes } from '../../output/time.ts';
import { isId } from '../../command-line/id.ts';
import { fleetNames } from '../../output/fleet-names.ts';
import type { Fleet, Listing, Robot, Site } from '../data/data.ts';
import type { Target } from '../data/mutations.ts';
import type { Plan } from '../overlays/overlay.ts';
import { byName } from '../table/by-name.ts';
import type { Ui } from '../ui.ts';
import { nameOrId } from './command-line.ts';

/** What can be deployed to, with its name. */
type NamedTarget = Target & { name: string };

/** The targets of a deployment, as known now. */
export interface Targets {
  targets: readonly NamedTarget[];
  /** The robots it reaches now. */
  robots: readonly Robot[];
  /** Display text: `fleet pickers`, `robot amr-7`, `3 robots`. */
  text: string;
  /** The first target, as a flag of `cli`. */
  flag: Readonly<Partial<Record<'robot' | 'fleet' | 'selector' | 'dynamic-until', string | undefined>>>;
  confirm: Plan['confirm'];
}

export interface Known {
  robots: Listing<Robot>;
  fleets: Listing<Fleet>;
  sites: Listing<Site>;
}

/** A fleet by its id. */
function fleetTarget(id: string, { robots, fleets, sites }: Known): Targets {
  const name = fleetNames(fleets.items, sites.items).get(id) ?? id;
  return {
    targets: [{ kind: 'fleet', id, name }],
    robots: robots.items.filter(({ fleet_id }) => fleet_id === id),
    text: `fleet ${name}`,
    flag: { fleet: isId(fleets.byId.get(id)?.name ?? '') ? id : name },
    confirm: { kind: 'type', text: name },
  };
}

export const countOf = ({ length }: readonly Robot[]): string => `${length} robots`;

/** Robots by their ids, one deployment each. */
function robotTargets(ids: readonly string[], { robots }: Known): Targets {
  const found = ids.flatMap((id) => robots.byId.get(id) ?? []);
  const [one] = found;
  const isOne = found.length === 1 && one !== undefined;
  return {
    targets: found.map(({ id, name }) => ({ kind: 'robot', id, name })),
    robots: found,
    text: isOne ? `robot ${one.name}` : countOf(found),
    flag: { robot: one && nameOrId(robots.items, one.id) },
    confirm: isOne ? { kind: 'enter' } : { kind: 'type', text: countOf(found) },
  };
}

interface Selected {
  selector: string;
  /** Until when robots that match later receive it too; undefined: they do not. */
  dynamicUntil: string | undefined;
  /** The robots that match, as they were when this was read. */
  matching: readonly Robot[];
}

export function selectorTargets({ selector, dynamicUntil, matching }: Selected, { robots }: Known): Targets {
  return {
    targets: [{ kind: 'selector', selector, dynamicUntil, name: selector }],
    robots: matching.map((robot) => robots.byId.get(robot.id) ?? robot),
    text: `selector ${selector}`,
    flag: { selector, 'dynamic-until': dynamicUntil },
    confirm: { kind: 'type', text: selector },
  };
}

/** The targets of a plan, as shown. */
export interface ShownTargets {
  /** The same robots, each in its current state. */
  shown: () => Targets;
  /** Rejects with a Failure if other robots are reached now; those are shown from then on. */
  check: () => Promise<void>;
}

/** `read`: the current targets. `refresh`: reads from the service what `read` needs; default: lists have it. */
export function shownTargets(read: () => Targets, refresh?: () => Promise<void>): ShownTargets {
  let shown = read();
  return {
    shown() {
      const now = read();
      if (reachOf(now) === reachOf(shown)) shown = now;
      return shown;
    },
    async check() {
      await refresh?.();
      const now = read();
      const isSame = reachOf(now) === reachOf(shown);
      shown = now;
      if (isSame) return;
      const { robots, text } = now;
      const online = robots.filter((robot) => robot.online).length;
      const message = `${text} changed: now ${robots.length} robots, ${online} online; check again`;
      throw new CliError(message, { code: 'conflict' });
    },
  };
}

/** The ids of the robots. The number online is left out: where links are bad it changes every second. */
const reachOf = ({ robots }: Targets) =>
  robots
    .map(({ id }) => id)
    .sort()
    .join();

/** As known now; `before` if it is no longer known. */
export const knownNow = ({ data }: Ui, before: Known): Known => ({
  robots: data.robots.get().value ?? before.robots,
  fleets: data.fleets.get().value ?? before.fleets,
  sites: data.sites.get().value ?? before.sites,
});

const maxNames = 8;

/** Facts of a plan about its targets. */
export function targetFacts({ targets, robots, text }: Targets): Plan['facts'] {
  const online = robots.filter((robot) => robot.online).length;
  const [target] = targets;
  if (target?.kind === 'fleet')
    return [{ label: 'Target', text: `${text} (${robots.length} robots, ${online} online)` }];
  if (target?.kind === 'selector') {
    const until = target.dynamicUntil;
    return [
      { label: 'Target', text: `${text} (${robots.length} match now, ${online} online)` },
      ...(until === undefined ? [] : [{ label: 'Dynamic', text: `also robots that match until ${bothTimes(until)}` }]),
    ];
  }
  if (robots.length === 1) return [{ label: 'Target', text: `${text} (${online === 1 ? 'online' : 'offline'})` }];
  const names = robots.slice(0, maxNames).map(({ name }) => name);
  const more = robots.length > maxNames ? ` and ${robots.length - maxNames} more` : '';
  return [
    { label: 'Target', text: `${text} (${online} online): ${names.join(', ')}${more}` },
    { label: 'Orders', text: `${robots.length}, one for each robot; the command below is for the first` },
  ];
}

export function targetWarnings({ targets, robots }: Targets): string[] {
  const offline = robots.filter((robot) => !robot.online).length;
  if (targets[0]?.kind === 'fleet' && robots.length === 0) return ['This fleet has no robots.'];
  if (targets[0]?.kind === 'selector' && robots.length === 0)
    return ['No robot matches now: it fails unless one does when it begins.'];
  if (offline === 0) return [];
  const who = offline === 1 ? '1 robot is offline and receives' : `${offline} robots are offline and receive`;
  return [`${who} it after reconnecting.`];
}

/** `fleet:<id>` or `robot:<id>` as the value of a choice. */
const valueOf = ({ kind, id }: Exclude<Target, { kind: 'selector' }>) => `${kind}:${id}`;
const marked = 'marked';
const matching = 'selector';

/** The field for the target: the chosen robots, a fleet or a robot. */
export function targetField(
  { robots, fleets, sites }: Known,
  chosen: { robots: readonly string[]; fleet?: string | undefined; selector?: string | undefined },
) {
  const { robots: ids, fleet, selector } = chosen;
  const counts = new Map<string, number>();
  const named = new Map<string, number>();
  for (const { fleet_id, name } of robots.items) {
    counts.set(fleet_id, (counts.get(fleet_id) ?? 0) + 1);
    named.set(name, (named.get(name) ?? 0) + 1);
  }
  const fleetLabels = fleetNames(fleets.items, sites.items);
  const choices = [
    ...(ids.length > 1 ? [{ value: marked, text: `the ${ids.length} marked robots` }] : []),
    ...fleets.items.map(({ id, name }) => ({
      value: valueOf({ kind: 'fleet', id }),
      text: `fleet ${fleetLabels.get(id) ?? name} (${counts.get(id) ?? 0} robots)`,
    })),
    ...(robots.items.length > 0 ? [{ value: matching, text: 'robots that match a selector' }] : []),
    ...byName<Robot>(({ name }) => name)(robots.items).map(({ id, name, online, fleet_id }) => {
      // Names need not be unique.
      const fleetName = (named.get(name) ?? 0) > 1 ? fleets.byId.get(fleet_id)?.name : undefined;
      const more = [fleetName, online ? undefined : 'offline'].filter((word) => word !== undefined);
      return {
        value: valueOf({ kind: 'robot', id }),
        text: `robot ${name}${more.length === 0 ? '' : ` (${more.join(', ')})`}`,
      };
    }),
  ];
  const [first] = ids;
  const initial =
    ids.length > 1
      ? marked
      : first !== undefined
        ? valueOf({ kind: 'robot', id: first })
        : fleet !== undefined
          ? valueOf({ kind: 'fleet', id: fleet })
          : selector && matching;
  return {
    name: 'target',
    label: 'Target',
    kind: 'choice' as const,
    choices,
    ...(initial !== undefined && { initial }),
    hint: 'A fleet, a selector or a robot: type part of its name',
    check(value: string) {
      if (value !== '') return undefined;
      return choices.length === 0
        ? 'there is no fleet yet: press 6, then n to create one'
        : 'select a fleet or a robot';
    },
  };
}

const isFleet = (value: string) => value.startsWith('fleet:');
export const isSelector = (value: string) => value === matching;
/** Whether the field's value can have a rollout. */
export const takesRollout = (value: string) => isFleet(value) || isSelector(value);

/** The targets for the field's value. */
export function targetsOf(value: string, known: Known, chosen: readonly string[]): Targets {
  if (value === marked) return robotTargets(chosen, known);
  const id = value.slice(value.indexOf(':') + 1);
  return isFleet(value) ? fleetTarget(id, known) : robotTargets([id], known);
}
