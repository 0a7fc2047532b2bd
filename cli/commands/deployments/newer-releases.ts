import type { Api, Release, Robot } from '../../api/api.ts';
import { isNewer, runningReleaseId } from '../../output/downgrade-text.ts';

/** IDs in one request, from the contract. */
const maxIds = 100;

/** How many robots run a release that was created after this one. Of a release that is not known, none. */
export async function countNewer(api: Api, release: Release | undefined, robots: readonly Robot[]): Promise<number> {
  if (!release) return 0;
  const running = robots.flatMap((robot) => runningReleaseId(robot, release.kind) ?? []);
  const others = [...new Set(running)].filter((id) => id !== release.id);
  const newer = new Set<string>();
  for (let start = 0; start < others.length; start += maxIds) {
    const ids = others.slice(start, start + maxIds).join(',');
    const { items } = (await api.get('/api/releases', { query: { id: ids } })).body;
    for (const item of items) if (isNewer(item, release)) newer.add(item.id);
  }
  return running.filter((id) => newer.has(id)).length;
}
