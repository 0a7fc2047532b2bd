import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { linkedAgent } from '../../../support/fake-agent.ts';
import { robotsOf } from '../../../support/robots.ts';
import { startWorld } from '../../../support/world.ts';

test('the worst values come first, old values of robots that are offline after those, and unknown ones last', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { enroll, robot } = robotsOf(world);
  const linked = async (name: string) => linkedAgent(world.url, (await enroll(name)).robot_token);
  const heartbeat = (percent: number) => ({ type: 'heartbeat', health: { cpu: { percent } } });
  const top = async () => (await home.cli(['robots', 'top', '--fields', 'name,cpu'])).stdout;
  await enroll('silent');
  const gone = await enroll('gone');
  {
    using agent = await linkedAgent(world.url, gone.robot_token);
    agent.send(heartbeat(99));
    await expect.poll(top).toContain('gone\t99');
  }
  using calm = await linked('calm');
  using busy = await linked('busy');
  calm.send(heartbeat(10));
  busy.send(heartbeat(60));
  await expect.poll(async () => (await robot(gone)).online).toBe(false);
  await expect.poll(top).toBe('busy\t60\ncalm\t10\ngone\t99\nsilent\t\n');
});
