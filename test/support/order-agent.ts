import type { Desired, OrderState } from '../../generated/frames.js';
import { connectAgent, type FakeAgent } from './fake-agent.ts';

/** An agent that takes orders. */
export interface OrderAgent extends FakeAgent {
  /** The next list that came. */
  desired(): Promise<Desired>;
  /** The first order of the next list that is not empty. */
  order(): Promise<Desired['items'][number]>;
  /** Reports, and waits until that is acknowledged. Gives whether the order is over. */
  report(state: OrderState): Promise<boolean>;
}

/** A link that is up, whose agent has said what it holds. */
export async function orderAgent(url: string, token: string, holding?: OrderState[]): Promise<OrderAgent> {
  const agent = await connectAgent(url, token);
  agent.hello({ capabilities: { logs: true, orders: true }, ...(holding ? { holding } : {}) });
  await agent.next('welcome');
  const desired = async () => (await agent.next('desired')) as unknown as Desired;
  return {
    ...agent,
    [Symbol.dispose]: () => agent.socket.terminate(),
    desired,
    async order() {
      for (;;) {
        const [first] = (await desired()).items;
        if (first) return first;
      }
    },
    async report(state) {
      agent.send({ type: 'report', ...state });
      return (await agent.next('report_ack'))['ended'] as boolean;
    },
  };
}
