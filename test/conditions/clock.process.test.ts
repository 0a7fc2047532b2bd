import { expect } from 'vitest';
import { linkedAgent } from '../support/fake-agent.ts';
import { startReplica } from '../support/replicas.ts';
import { robotsOf } from '../support/robots.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { wrongClock } from '../support/wrong-clock.ts';
import { healthOf } from './support.ts';

testWith('faketime')(
  'conditions and maintenance have the time of the database at a replica an hour ahead',
  async () => {
    await using world = await startIsolatedWorld();
    await using ahead = await wrongClock('+1h');
    await using replica = await startReplica(world, ahead.env);
    const isNow = (at: unknown) => expect(Math.abs(Date.parse(String(at)) - Date.now())).toBeLessThan(600_000);
    const amr = await robotsOf(world).enroll();
    using agent = await linkedAgent(replica.url, amr.robot_token);
    isNow(agent.frames[0]?.['server_time']);
    agent.send({ type: 'heartbeat', health: { estop: true } });
    await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop']);
    isNow((await robotsOf(world).robot(amr)).conditions[0].since);
    agent.socket.close(1000);
    await agent.closed;
    using next = await linkedAgent(world.url, amr.robot_token);
    next.send({ type: 'heartbeat', health: { estop: false } });
    await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);

    const created = await fetch(`${replica.url}/api/maintenance-windows`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.orgToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ target_kind: 'robot', target_id: amr.robot_id, hours: 1, reason: 'Move' }),
    });
    const { data } = (await created.json()) as { data: { created_at: string; ends_at: string } };
    expect(Date.parse(data.ends_at) - Date.parse(data.created_at)).toBe(3_600_000);
  },
);
