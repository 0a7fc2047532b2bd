import { apiOf, type HealthSnapshot, type Robot, type RobotHealth } from '../api/api.ts';
import { answeredFieldsHelp, isForPeople, type Column, type View } from '../output/view.ts';
import { relativeTime } from '../output/time.ts';
import { amount, clockOffset, percent, span, used } from '../output/units.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { idOf } from '../api/names.ts';
import { noPlaces, placesOf, type Places } from './site-and-fleet-names.ts';
import { hasDrifted, reportedOf, statusOf, statusTone } from './robots/robots.ts';
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

const view = ({ sites, fleets }: Places = noPlaces): View<Inspection> => ({
  columns: [
    { field: 'robot_id', header: 'ID', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'online', header: 'STATUS', shown: 'table', text: statusOf, tone: statusTone },
    { field: 'last_seen_at', header: 'SEEN', shown: 'table', time: true },
    { field: 'duplicate_agent_at', header: 'TWO AGENTS', shown: 'table', time: true, tone: () => 'warn' },
    { field: 'fleet_id', header: 'FLEET', shown: 'table', text: ({ fleet_id: id }) => fleets.get(id) ?? id },
    { field: 'site_id', header: 'SITE', shown: 'table', text: ({ site_id: id }) => sites.get(id) ?? id },
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
      disks.map(({ path, total_bytes: total, free_bytes: free }) => `${path ?? '?'} ${used(total, free)}`).join(' · '),
    ),
    part('temperature', (zones) =>
      zones
        .map(({ zone, celsius }) => `${zone ?? '?'} ${celsius === undefined ? '' : `${celsius.toFixed(1)} °C`}`)
        .join(' · '),
    ),
    part('battery', ({ percent: charge, status, voltage }) =>
      joined(percent(charge), status, voltage !== undefined && `${voltage} V`),
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
    { field: 'labels', shown: 'wide' },
    part('boot_id', String, { shown: 'wide' }),
    { field: 'ts', header: 'ROBOT TIME', shown: 'wide' },
    { field: 'org_id', header: 'ORG', shown: 'asked' },
  ],
  name: (robot) => robot.name,
});

/** `maps-7 (file)`; with drift: `maps-7 (file), but maps-6 runs since 2h ago`. */
function releaseOf(kind: string, { tag, drift }: Robot['reported']['releases'][string]): string {
  if (!drift) return `${tag} (${kind})`;
  const { running_tag: other, running_sha256: digest, since } = drift;
  const what = other ?? (digest === undefined ? 'nothing' : 'something else');
  const unknown = other === undefined && digest !== undefined ? `, SHA-256 ${digest}` : '';
  return `${tag} (${kind}), but ${what} runs since ${relativeTime(since)}${unknown}`;
}

export async function inspectRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', call.args[0] ?? '');
  const path = { id };
  const [health, robot, places] = await Promise.all([
    api.get('/api/robots/{id}/health', { path }),
    api.get('/api/robots/{id}', { path }),
    isForPeople(call) ? placesOf(api, ['sites', 'fleets']) : noPlaces,
  ]);
  const { snapshot, ...presence } = health.body.data;
  const { reported, ...known } = robot.body.data;
  // A robot can give a part of its snapshot any name. The service's own fields come last and take precedence.
  const item: Inspection = { ...snapshot, ...known, ...reportedOf({ reported }), ...presence };
  await printObject(call, { ...health, body: { data: item } }, view(places));
  if (isForPeople(call) && snapshot === undefined) call.io.aside('No health reported yet.');
}
