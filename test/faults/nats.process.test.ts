import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { factories } from '../support/factories.ts';
import { startNats } from '../support/nats.ts';
import { operatorOf } from '../support/operator.ts';
import { orderAgent } from '../support/order-agent.ts';
import { startReplica } from '../support/replicas.ts';
import { robotsOf } from '../support/robots.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';

const checksOf = async (url: string) => (await fetch(`${url}/readyz`)).json();

/** The value of `fleet_bus_up`. */
const gaugeOf = async (url: string) => /^fleet_bus_up (.*)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

/** Whether a token is accepted by a replica. */
const accepts = async (url: string, token: string): Promise<boolean> =>
  (await fetch(`${url}/api/sites`, { headers: { Authorization: `Bearer ${token}` } })).status === 200;

testWith('nats-server')(
  'over two replicas, orders and revocations pass through NATS; killed, hanging or refusing it costs a second and no call',
  async () => {
    await using nats = await startNats();
    const env = { NATS_URL: `nats://127.0.0.1:${nats.port}` };
    await using world = await startIsolatedWorld({ env });
    await using other = await startReplica(world, env);
    const robot = await robotsOf(world).enroll();
    using agent = await orderAgent(other.url, robot.robot_token);
    await agent.desired();
    const operator = operatorOf(world);
    const make = factories(world);

    /** An order made here reaches the robot there, and a token revoked here is refused there. */
    async function works(value: number): Promise<void> {
      const token = await make.userToken('viewer', `viewer-${value}@example.com`);
      expect(await accepts(other.url, token)).toBe(true); // it is cached there from now on
      await operator.deployConfig(robot.robot_id, { key: 'nav.max_speed', value });
      const { order_id, digest } = await agent.order();
      expect(await agent.report({ order_id, status: 'applied', digest })).toBe(true);
      const newest = (await world.call('GET', '/api/tokens?kind=user')).body.items.at(-1);
      expect((await world.call('POST', `/api/tokens/${newest.id}/revoke`)).status).toBe(200);
      await expect.poll(() => accepts(other.url, token), { interval: 20 }).toBe(false);
    }

    async function busIs(state: 'ok' | 'down'): Promise<void> {
      await expect.poll(() => checksOf(other.url)).toMatchObject({ status: 'ready', bus: state });
      await expect.poll(() => gaugeOf(other.url)).toBe(state === 'ok' ? '1' : '0');
    }
    await busIs('ok');
    await works(1);
    await nats.stop();
    await busIs('down');
    await works(2);
    await nats.start('authorization { user: other, password: other }');
    await sleep(2_000);
    await busIs('down');
    await works(3);
    await nats.stop();
    await nats.start('');
    await busIs('ok');
    await works(4);
    nats.signal('SIGSTOP');
    await works(5);
    await busIs('down');
    nats.signal('SIGCONT');
    await busIs('ok');
    await works(6);
  },
);
