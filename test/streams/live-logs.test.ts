import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld } from '../support/world.ts';

test('what a robot says arrives at who follows it, stored and live joined', async () => {
  await using world = await startWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using agent = await connectAgent(world.url, token);
  agent.hello();
  await agent.next('welcome');
  let seq = 0;
  const say = (count: number) =>
    agent.send({
      type: 'logs',
      spool: 's',
      from_seq: seq + 1,
      to_seq: seq + count,
      records: Array.from({ length: count }, () => ({
        seq: ++seq,
        ts: new Date().toISOString(),
        level: 'info',
        source: 'x',
        message: `line ${seq}`,
      })),
    });
  say(5);
  await agent.next('logs_ack');
  const socket = new WebSocket(
    `${world.url.replace('http', 'ws')}/api/robots/${id}/logs/ws?tail=3&token=${world.orgToken}`,
  );
  const got: { seq: number; message: string }[] = [];
  socket.on('message', (data: Buffer) => got.push(JSON.parse(data.toString()) as never));
  socket.on('error', console.error);
  await expect.poll(() => got.length).toBe(3);
  const began = performance.now();
  say(4);
  await expect.poll(() => got.length, { interval: 5 }).toBe(7);
  console.log('live after', performance.now() - began);
  for (let i = 0; i < 50; i++) {
    say(20);
    await new Promise((r) => setTimeout(r, 20));
  }
  await expect.poll(() => got.length).toBe(1007);
  expect(got.map((each) => each.seq)).toEqual(Array.from({ length: 1007 }, (_, n) => n + 3));
  socket.close();
});
