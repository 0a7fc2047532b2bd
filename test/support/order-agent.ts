import type { Desired, OrderState } from '../../generated/frames.js';
import { connectAgent, type FakeAgent } from './fake-agent.ts';

/** An agent that accepts orders. */
export interface OrderAgent extends FakeAgent {
  /** The next received list. */
  desired(): Promise<Desired>;
  /** The first order of the next list that is not empty. */
  order(): Promise<Desired['items'][number]>;
  /** Reports, and waits for the acknowledgement. Returns whether the order has ended. */
  report(state: OrderState): Promise<boolean>;
}

/** An established link, whose agent has reported the orders it holds. */
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
