import { apiOf, type HealthSnapshot, type Robot, type RobotHealth } from '../api/api.ts';
import { answeredFieldsHelp, isForPeople, nameColumn, needsNames, type Column, type View } from '../output/view.ts';
import { runningInstead } from '../output/running-now.ts';
import { relativeTime } from '../output/time.ts';
import { amount, clockOffset, percent, span, used } from '../output/units.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { idOf } from '../api/names.ts';
import { namesOf, noNames, type Names } from './name-lookup.ts';
import { hasDrifted, healthTone, labelsOf, reportedOf, statusOf, statusTone } from './robots/robots.ts';
import { referencesIn, retirement } from './robots/retirement.ts';
import { printObject } from './shared.ts';

/**
 * A robot with its health. Measured values keep the names of the snapshot; a value that the agent does not measure is
 * absent.
 */
type Inspection = HealthSnapshot & Omit<Robot, 'reported'> & Robot['reported'] & Omit<RobotHealth, 'snapshot'>;

type Part<Name extends keyof HealthSnapshot> = NonNullable<HealthSnapshot[Name]>;

/** A part of the snapshot. A table formats it with `text`, and omits it if the robot does not measure it. */
function part<Name extends keyof HealthSnapshot & string>(
  field: Name,
  text: (value: Part<Name>) => string,
  more: Partial<Column<Inspection>> = {},
): Column<Inspection> {
  return {
    field,
    shown: 'table',
    ...more,
    text: (item) => {
      const value = (item as HealthSnapshot)[field] as Part<Name> | undefined;
      return value === undefined ? '' : text(value);
    },
  };
}

/** Joins the non-empty words. */
const joined = (...words: (string | number | undefined | false)[]) =>
  words.filter((word) => word !== undefined && word !== false && word !== '').join(' · ');

const view = (names: Names = noNames): View<Inspection> => ({
  columns: [
    { field: 'robot_id', header: 'ID', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'online', header: 'STATUS', shown: 'table', text: statusOf, tone: statusTone },
    {
      field: 'health_status',
      header: 'HEALTH',
      shown: 'table',
      late: true,
      // The conditions of maintenance do not count, and have a line of their own.
      text: ({ maintenance, health_status: status = '' }: Partial<Pick<Robot, 'health_status' | 'maintenance'>>) =>
        maintenance ? 'maintenance' : status,
      tone: healthTone,
    },
    { field: 'health_since', header: 'SINCE', shown: 'table', late: true, time: true },
    {
      field: 'conditions',
      shown: 'table',
      late: true,
      // A service older than conditions omits them.
      text: ({ conditions = [] }: Partial<Pick<Robot, 'conditions'>>) =>
        conditions.map(({ name, message, since }) => `${name} since ${relativeTime(since)}: ${message}`).join(' · '),
      tone: healthTone,
    },
    {
      field: 'maintenance',
      shown: 'table',
      late: true,
      text: ({ maintenance }) => (maintenance ? `until ${maintenance.until}: ${maintenance.reason}` : ''),
    },
    ...retirement('table', names),
    { field: 'last_seen_at', header: 'SEEN', shown: 'table', time: true },
    { field: 'duplicate_agent_at', header: 'TWO AGENTS', shown: 'table', time: true, tone: () => 'warn' },
    { field: 'fleet_id', header: 'FLEET', shown: 'table', text: ({ fleet_id: id }) => names.get(id) ?? id },
    { field: 'site_id', header: 'SITE', shown: 'table', text: ({ site_id: id }) => names.get(id) ?? id },
    {
      field: 'releases',
      shown: 'table',
      text: ({ releases }) => joined(...Object.entries(releases).map(([kind, release]) => releaseOf(kind, release))),
      tone: ({ releases }) => (hasDrifted(releases) ? 'bad' : undefined),
    },
    {
      field: 'configs',
      shown: 'table',
      text: ({ configs }) => joined(...Object.entries(configs).map(([key, { revision }]) => `${key} #${revision}`)),
    },
    { field: 'created_at', header: 'ENROLLED', shown: 'table', time: true },
    { field: 'snapshot_at', header: 'MEASURED', shown: 'table', time: true },
    part('estop', (isActive) => (isActive ? 'ACTIVE' : 'not active'), {
      late: true,
      header: 'E-STOP',
      tone: ({ estop }) => (estop === true ? 'bad' : undefined),
    }),
    part(
      'mission',
      ({ state, progress_percent: progress, name, id, message }) =>
        joined(state, percent(progress), name ?? id, message),
      { late: true, tone: ({ mission }) => (mission?.state === 'failed' ? 'bad' : undefined) },
    ),
    part('diagnostics', diagnosticsText, {
      late: true,
      tone: ({ diagnostics }) =>
        diagnostics?.level === 'error' ? 'bad' : diagnostics?.level === 'warn' ? 'warn' : undefined,
    }),
    part('uptime_s', span, { header: 'UPTIME' }),
    part('cpu', ({ percent: busy, cores, load }) =>
      joined(
        percent(busy),
        cores !== undefined && `${cores} cores`,
        load && `load ${load.map((value) => value.toFixed(2)).join(' ')}`,
      ),
    ),
    part('memory', ({ total_bytes: total, available_bytes: free, swap_used_bytes: swap }) =>
      joined(used(total, free), swap !== undefined && swap > 0 && `${amount(swap)} swapped`),
    ),
    part('disk', (disks) =>
      disks
        .map(({ path, total_bytes: total, free_bytes: free, read_only: isReadOnly }) =>
          [path ?? '?', used(total, free), isReadOnly === true ? 'read-only' : '']
            .filter((word) => word !== '')
            .join(' '),
        )
        .join(' · '),
    ),
    part('temperature', (zones) =>
      zones
        .map(({ zone, celsius }) => `${zone ?? '?'} ${celsius === undefined ? '' : `${celsius.toFixed(1)} °C`}`)
        .join(' · '),
    ),
    part('battery', ({ percent: charge, status, charging, voltage }) =>
      joined(percent(charge), status ?? (charging === true && 'Charging'), voltage !== undefined && `${voltage} V`),
    ),
    part('net', (links) =>
      links.map(({ iface, addr, up }) => `${iface ?? '?'} ${up === false ? 'down' : (addr ?? 'up')}`).join(' · '),
    ),
    part('link', ({ rtt_ms: rtt, reconnects }) =>
      joined(rtt !== undefined && `${rtt} ms`, reconnects !== undefined && `${reconnects} reconnects`),
    ),
    part('spool', ({ bytes, records, dropped }) =>
      joined(
        records !== undefined && `${records} records`,
        bytes !== undefined && amount(bytes),
        dropped !== undefined && dropped > 0 && `${dropped} dropped`,
      ),
    ),
    part('clock_offset_ms', clockOffset, { header: 'CLOCK' }),
    part('os', ({ distro, platform, arch, kernel }) => joined(distro ?? platform, arch, kernel)),
    part('agent', ({ version, rss_bytes: rss, uptime_s: up }) =>
      joined(version, rss !== undefined && amount(rss), up !== undefined && `up ${span(up)}`),
    ),
    part('extra', (extra) => JSON.stringify(extra)),
    { field: 'labels', shown: 'table', text: labelsOf },
    part(
      'omitted',
      (parts) => parts.map(({ part: name, reason, message }) => `${name}: ${message ?? reason}`).join(' · '),
      { late: true, tone: () => 'warn' },
    ),
    part('boot_id', String, { shown: 'wide' }),
    { field: 'ts', header: 'ROBOT TIME', shown: 'wide' },
    { field: 'org_id', header: 'ORG', shown: 'asked' },
    nameColumn('fleet_name', ({ fleet_id: id }) => names.get(id)),
    nameColumn('site_name', ({ site_id: id }) => names.get(id)),
    { field: 'cameras', shown: 'table', text: ({ cameras = [] }) => joined(...cameras) },
    { field: 'topics', header: 'ROS', shown: 'table', text: ({ topics }) => (topics ? 'cli robots topics' : '') },
  ],
  name: (robot) => robot.name,
});

/** `error · 1 error · 11 ok · lidar_front: No data for 3 s`. */
function diagnosticsText({ level, items = [], ...counts }: Part<'diagnostics'>): string {
  const counted = (['error', 'warn', 'stale', 'ok'] as const).map((each) => {
    const count = counts[each] ?? 0;
    return count > 0 && `${count} ${each}`;
  });
  const details = items.map(({ name, message, level: itsLevel }) => `${name}: ${message ?? itsLevel}`);
  return joined(level, ...counted, ...details);
}

/** `maps-7 (file)`; with drift: `maps-7 (file), but maps-6 runs since 2h ago`. */
function releaseOf(kind: string, { tag, drift }: Robot['reported']['releases'][string]): string {
  if (!drift) return `${tag} (${kind})`;
  const { running_tag: other, running_sha256: digest, since } = drift;
  const unknown = other === undefined && digest !== undefined ? `, SHA-256 ${digest}` : '';
  return `${tag} (${kind}), but ${runningInstead(drift)} runs since ${relativeTime(since)}${unknown}`;
}

export async function inspectRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', call.args[0] ?? '');
  const path = { id };
  const [health, robot] = await Promise.all([
    api.get('/api/robots/{id}/health', { path }),
    api.get('/api/robots/{id}', { path }),
  ]);
  const names = needsNames(call, view()) ? await namesOf(api, referencesIn(robot.body.data)) : noNames;
  const { snapshot, ...presence } = health.body.data;
  const { reported, ...known } = robot.body.data;
  // A robot can give a part of its snapshot any name. The service's own fields come last and take precedence.
  const item: Inspection = { ...snapshot, ...known, ...reportedOf({ reported }), ...presence };
  await printObject(call, { ...health, body: { data: item } }, view(names));
  if (isForPeople(call) && snapshot === undefined) call.io.aside('No health reported yet.');
}
