import { expect, test } from 'vitest';
import { linkedAgent } from '../../../support/fake-agent.ts';
import { robotsOf } from '../../../support/robots.ts';
import { openStores } from '../../../support/stores.ts';
import { startWorld } from '../../../support/world.ts';

test('the health of a robot is kept as it was while somebody looked, each snapshot once', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, token);
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const health = stores.data.health(id);
  health.want();
  const uptimes = () => health.get().value?.points.map(({ snapshot }) => snapshot.uptime_s) ?? [];
  for (const uptime of [1, 2, 3]) {
    agent.send({ type: 'heartbeat', health: { ts: '2026-11-22T09:00:00Z', uptime_s: uptime } });
    await expect
      .poll(() => {
        health.refresh();
        return uptimes().at(-1);
      })
      .toBe(uptime);
  }
  health.refresh();
  await expect.poll(() => health.get().value?.online).toBe(true);
  expect(uptimes()).toEqual([1, 2, 3]);
});
