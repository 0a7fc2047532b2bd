import { expect, test } from 'vitest';
import { echo, record, watchRobot } from '../../support/watch.ts';
import { startWorld } from '../../support/world.ts';

test('records that are large are read no faster than 8 MiB a second after a burst of twice that, and the last one comes', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using reader = await echo(world, robot.id);
  using topic = await robot.come();
  const large = (seq: number) => JSON.stringify({ ...JSON.parse(record(seq)), msg: { data: 'x'.repeat(250_000) } });
  const startedAt = performance.now();
  for (let seq = 1; seq <= 200; seq += 1) topic.socket.send(large(seq));
  const last = () => JSON.parse(String(reader.frames.at(-1) ?? '{}')) as { seq?: number };
  await expect.poll(() => last().seq).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(3_000);
});
