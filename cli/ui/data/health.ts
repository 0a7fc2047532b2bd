import type { HealthTrail } from './data.ts';
import type { Asker } from './listing.ts';

/** Ten minutes of snapshots: an agent sends at most one every 2 s. */
const maxPoints = 300;

/** Health of a robot, and its history since the first read. */
export function healthTrail(id: string) {
  return async (ask: Asker, before: HealthTrail | undefined): Promise<HealthTrail> => {
    const { data } = (await ask((api) => api.get('/api/robots/{id}/health', { path: { id } }))).body;
    const { online, last_seen_at: lastSeenAt, snapshot, snapshot_at: at } = data;
    const points = before?.points ?? [];
    const atMs = at === undefined ? 0 : Date.parse(at);
    const isNew = snapshot !== undefined && atMs > (points.at(-1)?.atMs ?? 0);
    if (!isNew && before?.online === online && before.lastSeenAt === lastSeenAt) return before;
    return { online, lastSeenAt, points: isNew ? [...points, { atMs, snapshot }].slice(-maxPoints) : points };
  };
}
