import type { RobotMetrics } from '../../api/api.ts';
import type { HealthPoint, HealthSnapshot, HealthTrail } from './data.ts';
import type { Asker } from './listing.ts';

/** Ten minutes of snapshots, as an agent sends at most one every 2 s, or an hour of stored samples and more. */
const maxPoints = 300;
const historyMs = 3_600_000;

/** Health of a robot: the stored history of the last hour, then each snapshot since the first read. */
export function healthTrail(id: string) {
  return async (ask: Asker, before: HealthTrail | undefined): Promise<HealthTrail> => {
    const { data } = (await ask((api) => api.get('/api/robots/{id}/health', { path: { id } }))).body;
    const { online, last_seen_at: lastSeenAt, snapshot, snapshot_at: at } = data;
    const atMs = at === undefined ? 0 : Date.parse(at);
    const points = before?.points ?? (snapshot ? await storedPoints(ask, id, snapshot, atMs) : []);
    const isNew = snapshot !== undefined && atMs > (points.at(-1)?.atMs ?? 0);
    if (!isNew && before?.online === online && before.lastSeenAt === lastSeenAt) return before;
    return { online, lastSeenAt, points: isNew ? [...points, { atMs, snapshot }].slice(-maxPoints) : points };
  };
}

/** The hour before a snapshot. Without it, as from a service of an earlier release, the trails begin now. */
async function storedPoints(
  ask: Asker,
  id: string,
  snapshot: HealthSnapshot,
  atMs: number,
): Promise<readonly HealthPoint[]> {
  const query = {
    since: new Date(atMs - historyMs).toISOString(),
    until: new Date(atMs).toISOString(),
    resolution: 'raw' as const,
  };
  try {
    const { body } = await ask((api) => api.get('/api/robots/{id}/metrics', { path: { id }, query }));
    return pointsOf(body.data, snapshot, atMs);
  } catch {
    return [];
  }
}

/** As snapshots, which give their disk and zone the names of the fullest and the hottest in the given one. */
function pointsOf({ series, interval_seconds: seconds }: RobotMetrics, now: HealthSnapshot, atMs: number) {
  const path = highest(now.disk, (disk) => 1 - (disk.free_bytes ?? Infinity) / (disk.total_bytes ?? 1))?.path;
  const zone = highest(now.temperature, ({ celsius }) => celsius ?? -Infinity)?.zone;
  const partOf: Readonly<Record<string, (value: number) => HealthSnapshot>> = {
    battery: (value) => ({ battery: { percent: value } }),
    cpu: (value) => ({ cpu: { percent: value } }),
    memory: (value) => ({ memory: { total_bytes: 100, available_bytes: 100 - value } }),
    disk: (value) => ({ disk: [{ ...(path !== undefined && { path }), total_bytes: 100, free_bytes: 100 - value }] }),
    temperature: (value) => ({ temperature: [{ ...(zone !== undefined && { zone }), celsius: value }] }),
    delay: (value) => ({ link: { rtt_ms: value } }),
  };
  const byTime = new Map<number, HealthSnapshot>();
  for (const [name, one] of Object.entries(series)) {
    one.times.forEach((time, index) => {
      const value = one.values[index];
      // The last interval contains the snapshot itself.
      if (value === undefined || (time + seconds) * 1_000 > atMs) return;
      byTime.set(time, { ...byTime.get(time), ...partOf[name]?.(value) });
    });
  }
  return [...byTime]
    .sort(([one], [other]) => one - other)
    .map(([time, snapshot]) => ({ atMs: time * 1_000, snapshot }));
}

const highest = <T>(items: readonly T[] = [], rank: (item: T) => number): T | undefined =>
  items.toSorted((one, other) => rank(other) - rank(one))[0];
