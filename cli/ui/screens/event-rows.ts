import { humanize, isTerminal } from '../../output/deployment-format.ts';
import type { Snapshot } from '../data/freshness.ts';
import type { Readable } from '../data/store.ts';
import { statusTone, targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import { perUi } from '../table/derived-rows.ts';
import type { Signs, Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { Place } from '../views.ts';
import { activityRows, operationWords, type ActivityRow } from './activity-rows.ts';
import { severityTone } from './condition-counts.ts';
import { robotRows, type RobotRow } from './robot-rows.ts';

/** What happened last, from the lists that are loaded anyway. */
export interface EventRow {
  id: string;
  at: string;
  /** A sign of the theme, if it is about a state. */
  sign?: keyof Pick<Signs, 'offline' | 'degraded' | 'unhealthy' | 'mark'>;
  tone?: Tone | undefined;
  /** In a few words. */
  event: string;
  what: string;
  /** Who did it, or why it happened. */
  detail: string;
  place?: Place;
  /** An entry of the audit log. */
  entry?: ActivityRow;
}

/** Older ones are on other screens. */
const mostEvents = 200;
/** Events are collected up to this number before the oldest are dropped. */
const mostCollected = 5 * mostEvents;

/**
 * Newest first: conditions that began, robots that went offline, deployments, and the changes in the audit log, if this
 * token may read it.
 */
export const eventRows = perUi((ui): Readable<Snapshot<readonly EventRow[]>> => {
  const { data } = ui;
  const changes = activityRows(ui);
  const deployments = [data.deployments, data.configDeployments] as const;
  let inputs: readonly unknown[] = [];
  let last: Snapshot<readonly EventRow[]> = { value: undefined, freshness: { kind: 'loading' } };
  return {
    get() {
      const robots = data.robots.get();
      const now = [
        robots,
        changes.get(),
        ...[...deployments, data.releases, data.fleets].map((each) => each.get().value),
      ];
      if (now.every((input, index) => input === inputs[index])) return last;
      inputs = now;
      const isKnown = robots.value !== undefined || changes.get().value !== undefined;
      const oldest = last.value?.length === mostEvents ? (last.value.at(-1)?.at ?? '') : '';
      const collected = (since: string) => collect(ui, changes.get().value, since);
      let value = isKnown ? collected(oldest) : undefined;
      // Some of the events before are gone: older ones take their place.
      if (value && value.length < mostEvents && oldest !== '') value = collected('');
      last = { value, freshness: robots.freshness };
      return last;
    },
    subscribe(listener) {
      const ends = [data.robots, changes, ...deployments, data.releases, data.fleets].map((one) =>
        one.subscribe(listener),
      );
      return () => ends.forEach((end) => end());
    },
  };
});

/** `oldest`: events before are not collected. Of 10,000 robots most have been as they are for long. */
function collect(ui: Ui, changes: readonly ActivityRow[] | undefined, oldest: string): readonly EventRow[] {
  const { data } = ui;
  const newest = keepNewest(oldest);
  for (const row of robotRows(ui).get().value ?? [])
    if (row.state === 'offline' || row.conditions.length > 0) addRobot(row, newest);
  for (const deployment of data.deployments.get().value?.items ?? [])
    addDeployment(ui, { deploymentKind: 'release', deployment }, newest, changes === undefined);
  for (const deployment of data.configDeployments.get().value?.items ?? [])
    addDeployment(ui, { deploymentKind: 'config', deployment }, newest, changes === undefined);
  for (const change of changes ?? [])
    if (newest.takes(change.entry.at)) newest.add(change.entry.at, () => changed(change));
  return newest.take();
}

/** Instants of the service compare as texts. */
function keepNewest(since: string) {
  let kept: { at: string; make: () => EventRow }[] = [];
  let oldest = since;
  function cut(): void {
    kept = kept.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0)).slice(0, mostEvents);
    if (kept.length === mostEvents) oldest = kept.at(-1)?.at ?? '';
  }
  return {
    takes: (at: string) => at >= oldest,
    add(at: string, make: () => EventRow): void {
      kept.push({ at, make });
      if (kept.length > mostCollected) cut();
    },
    take(): readonly EventRow[] {
      cut();
      return kept.map(({ make }) => make());
    },
  };
}

type Newest = ReturnType<typeof keepNewest>;

function addRobot({ robot, conditions }: RobotRow, newest: Newest): void {
  const { id, name, online, last_seen_at: seen } = robot;
  const place: Place = { screen: 'robot', robotId: id };
  if (!online && seen !== undefined && newest.takes(seen))
    newest.add(seen, () => ({
      id: `offline ${id}`,
      at: seen,
      sign: 'offline',
      tone: 'bad',
      event: 'offline',
      what: name,
      detail: '',
      place,
    }));
  for (const { rule_id: rule, name: condition, severity, since, message } of conditions)
    if (newest.takes(since))
      newest.add(since, () => ({
        id: `${rule} ${id}`,
        at: since,
        sign: severity === 'unhealthy' ? 'unhealthy' : 'degraded',
        tone: severityTone(severity),
        event: condition,
        what: name,
        detail: message,
        place,
      }));
}

/** `isAlone`: without the audit log, which has the beginning of each deployment. */
function addDeployment(ui: Ui, shown: ShownDeployment, newest: Newest, isAlone: boolean): void {
  const { deploymentKind, deployment } = shown;
  const { id, status, created_at: created, ended_at: ended } = deployment;
  const about = () => ({
    what: whatOf(ui, shown),
    detail: targetOf(ui, shown),
    place: { screen: 'deployment', deployment: { deploymentKind, id } } as const,
  });
  if (ended !== undefined && isTerminal(status) && newest.takes(ended))
    newest.add(ended, () => ({
      id: `end ${id}`,
      at: ended,
      tone: statusTone(status),
      event: humanize(status),
      ...about(),
      ...(status === 'applied'
        ? { sign: 'mark' as const }
        : status === 'cancelled'
          ? {}
          : { sign: 'degraded' as const }),
    }));
  if (isAlone && newest.takes(created))
    newest.add(created, () => ({ id: `begin ${id}`, at: created, event: 'deployment created', ...about() }));
}

const changed = (change: ActivityRow): EventRow => ({
  id: change.id,
  at: change.entry.at,
  event: operationWords(change.entry.operation),
  what: change.object,
  detail: change.actor,
  entry: change,
});
