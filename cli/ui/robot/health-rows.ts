import { amount, clockOffset, percent, span, used } from '../../output/units.ts';
import type { HealthPoint, HealthSnapshot } from '../data/data.ts';
import { diagnosticRows, estopRow, missionRow, omittedRow } from './condition-rows.ts';
import { joined, quiet, type HealthRow } from './health-row.ts';

const busyPercent = 95;
const fullShare = 0.9;
const hotCelsius = 80;
const lowPercent = 15;
const slowMs = 1_000;
const offMs = 2_000;
/** Maximum rows of zones, links and programs; robots have dozens. */
const mostOfKind = 4;

type Measure = (snapshot: HealthSnapshot) => number | undefined;

/** The measures of the last point with warnings, and their trails over all points. */
export function healthRows(points: readonly HealthPoint[]): HealthRow[] {
  const now = points.at(-1)?.snapshot;
  if (!now) return [];
  const over = (measure: Measure) => points.map(({ snapshot }) => measure(snapshot));
  const rows: (HealthRow | undefined)[] = [
    estopRow(now),
    missionRow(now),
    cpuRow(now, over),
    memoryRow(now, over),
    ...diskRows(now, over),
    ...temperatureRows(now, over),
    batteryRow(now, over),
    linkRow(now, over),
    ...netRows(now, points),
    spoolRow(now, over),
    clockRow(now),
    ...diagnosticRows(now),
    ...extraRows(now),
    omittedRow(now),
    uptimeRow(now),
  ];
  return rows.filter((row) => row !== undefined);
}

type Over = (measure: Measure) => (number | undefined)[];
const share: readonly [number, number] = [0, 100];

function cpuRow({ cpu }: HealthSnapshot, over: Over): HealthRow | undefined {
  if (!cpu) return undefined;
  const load = cpu.load && `load ${cpu.load.map((value) => value.toFixed(2)).join(' ')}`;
  return {
    label: 'CPU',
    text: joined(percent(cpu.percent), cpu.cores !== undefined && `${cpu.cores} cores`, load),
    warning: (cpu.percent ?? 0) >= busyPercent ? 'busy' : undefined,
    trail: over((snapshot) => snapshot.cpu?.percent),
    scale: share,
  };
}

const usedPercent = (total: number | undefined, free: number | undefined) =>
  total === undefined || free === undefined || total <= 0 ? undefined : ((total - free) / total) * 100;

const fullWarning = (percentUsed: number | undefined, what: string) =>
  (percentUsed ?? 0) >= fullShare * 100 ? what : undefined;

function memoryRow({ memory }: HealthSnapshot, over: Over): HealthRow | undefined {
  if (!memory) return undefined;
  const { total_bytes: total, available_bytes: free, swap_used_bytes: swap } = memory;
  return {
    label: 'Memory',
    text: joined(used(total, free), swap !== undefined && swap > 0 && `${amount(swap)} swapped`),
    warning: fullWarning(usedPercent(total, free), 'nearly full'),
    trail: over(({ memory: then }) => usedPercent(then?.total_bytes, then?.available_bytes)),
    scale: share,
  };
}

const diskRows = ({ disk = [] }: HealthSnapshot, over: Over): HealthRow[] =>
  disk.slice(0, mostOfKind).map(({ path, total_bytes: total, free_bytes: free, read_only: isReadOnly }) => ({
    label: `Disk ${path ?? '?'}`,
    text: joined(used(total, free), free !== undefined && `${amount(free)} free`, isReadOnly === true && 'read-only'),
    warning: fullWarning(usedPercent(total, free), 'nearly full'),
    trail: over((snapshot) => {
      const then = snapshot.disk?.find((each) => each.path === path);
      return usedPercent(then?.total_bytes, then?.free_bytes);
    }),
    scale: share,
  }));

/** The two hottest zones. */
const temperatureRows = ({ temperature = [] }: HealthSnapshot, over: Over): HealthRow[] =>
  [...temperature]
    .sort((one, other) => (other.celsius ?? -Infinity) - (one.celsius ?? -Infinity))
    .slice(0, 2)
    .map(({ zone, celsius }) => ({
      label: `Heat ${zone ?? '?'}`,
      text: celsius === undefined ? '' : `${celsius.toFixed(1)} °C`,
      warning: (celsius ?? 0) >= hotCelsius ? 'hot' : undefined,
      trail: over((snapshot) => snapshot.temperature?.find((each) => each.zone === zone)?.celsius),
      scale: [20, 100],
    }));

function batteryRow({ battery }: HealthSnapshot, over: Over): HealthRow | undefined {
  if (!battery) return undefined;
  const { percent: charge, status, charging, voltage } = battery;
  const isFed = (charging ?? status === 'Charging') || status === 'Full';
  const isLow = charge !== undefined && charge <= lowPercent && !isFed;
  return {
    label: 'Battery',
    text: joined(percent(charge), status ?? (charging === true && 'Charging'), voltage !== undefined && `${voltage} V`),
    warning: isLow ? 'low' : undefined,
    trail: over((snapshot) => snapshot.battery?.percent),
    scale: share,
  };
}

function linkRow({ link }: HealthSnapshot, over: Over): HealthRow | undefined {
  if (!link) return undefined;
  const { rtt_ms: rtt, reconnects } = link;
  return {
    label: 'Link',
    text: joined(rtt !== undefined && `${rtt} ms`, reconnects !== undefined && `${reconnects} reconnects`),
    warning: (rtt ?? 0) >= slowMs ? 'slow' : undefined,
    trail: over((snapshot) => snapshot.link?.rtt_ms),
    scale: undefined,
  };
}

/** Traffic of an interface between two points, in bytes per second. */
function rates(points: readonly HealthPoint[], iface: string | undefined): (number | undefined)[] {
  const bytesOf = ({ net = [] }: HealthSnapshot) => {
    const found = net.find((each) => each.iface === iface);
    return found?.rx_bytes === undefined || found.tx_bytes === undefined ? undefined : found.rx_bytes + found.tx_bytes;
  };
  return points.slice(1).map(({ atMs, snapshot }, index) => {
    const before = points[index];
    const [bytes, earlier] = [bytesOf(snapshot), before && bytesOf(before.snapshot)];
    if (!before || bytes === undefined || earlier === undefined || bytes < earlier || atMs <= before.atMs)
      return undefined;
    return ((bytes - earlier) / (atMs - before.atMs)) * 1000;
  });
}

const netRows = ({ net = [] }: HealthSnapshot, points: readonly HealthPoint[]): HealthRow[] =>
  net
    .filter(({ iface }) => iface !== 'lo')
    .slice(0, mostOfKind)
    .map(({ iface, up, addr }) => {
      const trail = rates(points, iface);
      const rate = trail.at(-1);
      return {
        label: `Net ${iface ?? '?'}`,
        text: joined(up === false ? 'down' : (addr ?? 'up'), rate !== undefined && `${amount(rate)}/s`),
        warning: undefined,
        trail,
        scale: undefined,
      };
    });

function spoolRow({ spool }: HealthSnapshot, over: Over): HealthRow | undefined {
  if (!spool) return undefined;
  const { bytes, records, dropped = 0 } = spool;
  return {
    label: 'Spool',
    text: joined(
      records !== undefined && `${records} log records wait`,
      bytes !== undefined && amount(bytes),
      dropped > 0 && `${dropped} lost`,
    ),
    warning: dropped > 0 ? 'records lost' : undefined,
    trail: over((snapshot) => snapshot.spool?.records),
    scale: undefined,
  };
}

function clockRow({ clock_offset_ms: offset }: HealthSnapshot): HealthRow | undefined {
  if (offset === undefined) return undefined;
  return {
    ...quiet,
    label: 'Clock',
    text: clockOffset(offset),
    warning: Math.abs(offset) > offMs ? 'clock is off' : undefined,
  };
}

/** Values added by the robot's own programs. */
const extraRows = ({ extra = {} }: HealthSnapshot): HealthRow[] =>
  Object.entries(extra)
    .filter(([name]) => name !== 'diagnostics')
    .slice(0, mostOfKind)
    .map(([name, value]) => ({ ...quiet, label: name, text: JSON.stringify(value) }));

function uptimeRow({ uptime_s: up, os, agent }: HealthSnapshot): HealthRow | undefined {
  const text = joined(
    up !== undefined && `up ${span(up)}`,
    os && (os.distro ?? os.platform),
    os?.arch,
    agent?.uptime_s !== undefined && `agent up ${span(agent.uptime_s)}`,
    agent?.rss_bytes !== undefined && amount(agent.rss_bytes),
  );
  return text === '' ? undefined : { ...quiet, label: 'System', text };
}
