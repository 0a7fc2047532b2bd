import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Report } from '../../generated/frames.d.ts';
import { hear } from './harness/link-hearing.ts';

const withinMs = 20_000;
const order = { order_id: 'o1', lane: 'config', sequence: 1, deployments: ['d1'], digest: 'a1' };

/** A link to a server that keeps the reports, and acknowledges each. */
async function startLink() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const reports: Report[] = [];
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const report = JSON.parse(data.toString()) as Report;
      reports.push(report);
      socket.send(JSON.stringify({ type: 'report_ack', order_id: report.order_id, result: { applied: true } }));
    }),
  );
  await once(server, 'listening');
  const link = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(link, 'open');
  return {
    link,
    reports,
    desire: (items: object[]) => {
      for (const socket of server.clients) socket.send(JSON.stringify({ type: 'desired', hash: 'h', items }));
    },
    async [Symbol.asyncDispose]() {
      link.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a robot of the bench hears an order once, answers it with its proof, and is done when that is acknowledged', async () => {
  await using end = await startLink();
  const hearing = hear([end.link], { what: 'order', count: 2, answer: 'applied', withinMs });
  end.desire([order]);
  end.desire([order, { ...order, order_id: 'o2', deployments: ['d2'] }]);
  expect((await hearing).map(({ deployments }) => deployments)).toEqual([['d1'], ['d2']]);
  expect(end.reports.map(({ order_id: id, status, digest }) => [id, status, digest])).toEqual([
    ['o1', 'applied', 'a1'],
    ['o2', 'applied', 'a1'],
  ]);
});

test('a robot that waits for a cancel does not take the order for one', async () => {
  await using end = await startLink();
  const hearing = hear([end.link], { what: 'cancel', count: 1, answer: 'cancelled', withinMs });
  end.desire([order]);
  end.desire([{ ...order, cancel: true }]);
  expect(await hearing).toHaveLength(1);
  expect(end.reports.map(({ status, digest }) => [status, digest])).toEqual([['cancelled', undefined]]);
});

test('what is not heard in time says how many were', async () => {
  await using end = await startLink();
  const hearing = hear([end.link], { what: 'order', count: 2, withinMs: 300 });
  end.desire([order]);
  await expect(hearing).rejects.toThrow('1 of 2 heard, 0 not acknowledged');
});
