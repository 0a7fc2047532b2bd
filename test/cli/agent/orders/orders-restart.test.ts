import { expect, test } from 'vitest';
import type { Order, OrderState } from '../../../../generated/frames.js';
import { orderManager } from '../../../../cli/agent/orders/order-manager.ts';
import { Stopped, type Handler, type OrderContext } from '../../../../cli/agent/orders/handler.ts';
import { releaseOrder } from '../../../support/orders.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('an order that ends the agent waits for those beside it, and none begins meanwhile', async () => {
  await using dir = await tempDir();
  const [update, reboot, script, gated, late] = ['agent', 'firmware', 'script', 'archive', 'file'].map((kind) =>
    releaseOrder(kind, kind),
  );
  const steps: string[] = [];
  let finishScript = (): void => undefined;
  const scriptEnds = new Promise<void>((resolve) => (finishScript = resolve));
  const leaves = ({ order: { lane }, stopping }: OrderContext): Partial<Handler> => ({
    needsRestart: () => true,
    restart: () =>
      new Promise((_resolve, reject) => {
        steps.push(`${lane} restarts`);
        stopping.addEventListener('abort', () => reject(new Stopped()));
      }),
  });
  const parts: Record<string, (task: OrderContext) => Partial<Handler>> = {
    'release:agent': leaves,
    'release:firmware': leaves,
    'release:script': () => ({ activate: () => scriptEnds }),
  };
  const reports: OrderState[] = [];
  const desk = orderManager({
    folder: dir.path,
    payloads: { backendUrl: 'http://127.0.0.1:9', token: 'none', socketOptions: {} },
    gates: async ({ lane }) => (lane === 'release:archive' ? { holder: 'battery', reason: '18 %' } : undefined),
    handlerOf: (task) => ({
      activate: async () => void steps.push(`${task.order.lane} is activated`),
      verify: async () => 'proof',
      ...parts[task.order.lane]?.(task),
    }),
    send: (frame) => frame.type === 'report' && reports.push(frame) > 0,
    tell: () => undefined,
    say: () => undefined,
  });
  await desk.open();
  const orders = [update, reboot, script, gated].filter((order): order is Order => order !== undefined);
  desk.desired({ type: 'desired', hash: '1', items: orders });
  // Both that end the agent are there, and wait for the script alone: the other one waits for a gate.
  await expect.poll(() => steps.length).toBe(2);
  await expect
    .poll(() => reports.filter(({ status }) => status === 'installing').map(({ order_id: id }) => id))
    .toHaveLength(3);
  desk.desired({ type: 'desired', hash: '2', items: [...orders, late as Order] });
  finishScript();
  await expect.poll(() => steps.filter((step) => step.endsWith('restarts')).length).toBe(2);
  expect(reports.find(({ order_id: id, status }) => id === script?.order_id && status === 'applied')).toBeDefined();
  expect(steps).not.toContain('release:file is activated');
  await desk.stop();
});
