import { expect, test } from 'vitest';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld } from '../support/world.ts';

const frameOf = (spool: string) => ({
  type: 'logs',
  spool,
  from_seq: 1,
  to_seq: 1,
  records: [{ seq: 1, message: spool }],
});

test('a link sends of 16 spools at most: those are stored, one more ends it with the reason', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  for (let spool = 1; spool <= 16; spool += 1) agent.send(frameOf(`s${spool}`));
  for (let spool = 1; spool <= 16; spool += 1) await agent.next('logs_ack');
  agent.send(frameOf('s1'));
  await agent.next('logs_ack');
  for (let spool = 17; spool <= 100; spool += 1) agent.send(frameOf(`s${spool}`));
  expect(await agent.closed).toEqual({ code: 1008, reason: 'logs/spool: more than 16 on one link' });
  const { body } = await world.call('GET', `/api/robots/${robot.robot_id}/logs?limit=100`);
  expect(body.items).toHaveLength(16);
});
