import { createHash, randomUUID } from 'node:crypto';
import { apiOf } from '../harness/api.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';
import { seedLinks } from '../harness/seed-links.ts';

const robots = 100_000;
const waves = 20;
const pages = 10;
const goals = { plan: 2_000, page: 250 }; // ms

/** A plan of a release: the request to its response, and a page of its robots. */
export const plansRow: Row = {
  id: 'D4',
  work: 'a plan of a release for 100,000 robots in 20 waves, and a page of 1,000 of its robots: the response',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('d4');
    const { fleetId, userToken } = await seedFleet(url, context.requests(robots));
    await using ours = await startOurs({ DATABASE_URL: url });
    await seedLinks(url);
    const api = apiOf(ours.url, userToken);
    const digest = createHash('sha256').update(randomUUID()).digest('hex');
    const artifact = { artifact_sha256: digest, artifact_size: 1, tag: digest };
    const release = await api.call('POST', '/api/releases', artifact);
    const rollout = { waves: Array.from({ length: waves - 1 }, () => ({ percent: 100 / waves })) };
    const order = { release_id: release.data['id'], target_kind: 'fleet', target_id: fleetId, rollout };
    await api.call('POST', '/api/deployments', order); // a conflict of every robot

    const timeOf = async (call: () => Promise<unknown>) => {
      const startedAt = performance.now();
      await call();
      return performance.now() - startedAt;
    };
    const planned: number[] = [];
    const listed: number[] = [];
    for (let round = 0; round < context.rounds(3); round += 1) {
      let id = '';
      planned.push(
        await timeOf(async () => {
          id = (await api.call('POST', '/api/deployment-plans', { kind: 'release', ...order })).data['id'] as string;
        }),
      );
      for (let page = 0; page < pages; page += 1)
        listed.push(
          await timeOf(() => api.call('GET', `/api/deployment-plans/${id}/robots?limit=1000&wave=${page + 1}`)),
        );
    }
    return [
      limitLine('ms, the plan', median(planned), goals.plan),
      limitLine('ms, a page of its robots', median(listed), goals.page),
    ];
  },
};
