import type { HealthSnapshot } from '../data/data.ts';
import { joined, quiet, type HealthRow } from './health-row.ts';

const mostDiagnostics = 8;

export function estopRow({ estop }: HealthSnapshot): HealthRow | undefined {
  if (estop === undefined) return undefined;
  return estop
    ? { ...quiet, label: 'E-stop', text: 'emergency stop', warning: 'active', isBad: true }
    : { ...quiet, label: 'E-stop', text: 'not active' };
}

export function missionRow({ mission }: HealthSnapshot): HealthRow | undefined {
  if (!mission) return undefined;
  const { state, id, name, progress_percent: progress, message } = mission;
  const isBad = state === 'failed';
  return {
    ...quiet,
    label: 'Mission',
    text: joined(state, progress !== undefined && `${Math.round(progress)}%`, name ?? id, message),
    warning: isBad ? 'failed' : undefined,
    isBad,
  };
}

/** Names what the snapshot lacks, so that nobody takes it for not measured. */
export function omittedRow({ omitted = [] }: HealthSnapshot): HealthRow | undefined {
  if (omitted.length === 0) return undefined;
  const text = omitted.map(({ part, reason, message }) => `${part}: ${message ?? reason}`).join(', ');
  return { ...quiet, label: 'Omitted', text, warning: 'values are missing' };
}

interface Diagnostics {
  ok?: unknown;
  warn?: unknown;
  error?: unknown;
  stale?: unknown;
  items?: unknown;
  /** The items in `extra.diagnostics`. */
  worst?: unknown;
}

/**
 * Diagnostics of the robot's parts. Agents up to release 0.1.0 send them in `extra`, where a robot may send anything in
 * their place.
 */
export function diagnosticRows({ diagnostics: current, extra }: HealthSnapshot): HealthRow[] {
  const diagnostics = (current ?? extra?.['diagnostics']) as Diagnostics | null | undefined;
  if (typeof diagnostics !== 'object' || diagnostics === null) return [];
  const counts = (['error', 'warn', 'stale', 'ok'] as const).flatMap((level) => {
    const count = countOf(diagnostics[level]);
    return count > 0 ? [`${count} ${level}`] : [];
  });
  const listed = diagnostics.items ?? diagnostics.worst;
  const items = Array.isArray(listed) ? (listed as (Partial<Record<string, unknown>> | null)[]) : [];
  const hasErrors = current?.level === 'error' || countOf(diagnostics.error) > 0;
  return [
    {
      ...quiet,
      label: current ? 'Diagnostics' : 'ROS',
      text: joined(...counts) || (current?.level ?? ''),
      warning: hasErrors ? 'errors' : undefined,
      isBad: hasErrors,
    },
    ...items.slice(0, mostDiagnostics).map((each) => ({
      ...quiet,
      label: `  ${wordOf(each?.['level'])}`,
      text: `${wordOf(each?.['name'])}: ${messageOf(each)}`,
    })),
  ];
}

const messageOf = (item: Partial<Record<string, unknown>> | null) =>
  joined(wordOf(item?.['message']), item?.['hardware_id'] !== undefined && `(${wordOf(item['hardware_id'])})`);

const countOf = (value: unknown) => (typeof value === 'number' ? value : 0);
/** For an object, `String` would call its own `toString`, which may not be a function. */
const wordOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '?');
