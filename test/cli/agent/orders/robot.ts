import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Desired, Order, OrderState, OrderWait } from '../../../../generated/frames.js';
import { agentFrames } from '../../../../generated/frames.js';
import type { Gates } from '../../../../cli/agent/gates/gates.ts';
import { orderManager, type OrderManager } from '../../../../cli/agent/orders/order-manager.ts';
import { handlerOf } from '../../../../cli/agent/orders/lanes.ts';
import { sha256 } from '../../../support/orders.ts';
import { listen } from '../../../support/cli.ts';
import { tempDir } from '../../../support/temp-dir.ts';

export interface Robot extends AsyncDisposable {
  desk: OrderManager;
  folder: string;
  reports: OrderState[];
  lines: string[];
  told: string[];
  isLinked: boolean;
  /** What its gates say. */
  closed: OrderWait | undefined;
  /** In place of `closed`. */
  gates: Gates | undefined;
  /** What its orders wait for outside of their windows. */
  window: () => OrderWait | undefined;
  take(...orders: Order[]): void;
  ended(order: Order, within?: number): Promise<OrderState>;
  path(...parts: string[]): string;
  read(namespace: string): Promise<unknown>;
  /** A new agent on the same disk, after whatever was done to that. */
  restart(change?: () => Promise<void>): Promise<void>;
  journal(order: Order): Promise<Record<string, unknown>>;
}

const terminal = ['applied', 'failed', 'rolled_back', 'cancelled'];

/** An agent's orders on a real disk, without a link. `place`: its folder; default: one that is deleted afterwards. */
export async function startRobot(onConfig?: string, place?: string): Promise<Robot> {
  const dir = await tempDir();
  const folder = place ?? dir.path;
  const service = await listen((_request, response) => response.writeHead(404).end());
  const path = (...parts: string[]) => join(folder, ...parts);
  await mkdir(path('artifacts'));
  const open = async () => {
    const desk = orderManager({
      folder: path('orders'),
      payloads: { backendUrl: 'http://127.0.0.1:9', token: 'none', socketOptions: {} },
      handlerOf: (task) =>
        handlerOf(
          {
            config: { folder: path('config'), onConfig, environment: { PATH: process.env['PATH'] ?? '', AT: folder } },
            releases: { artifacts: path('artifacts'), folder: path('releases') },
          },
          { backendUrl: service.url, token: 'none', socketOptions: {} },
          task,
        ),
      closedWindow: () => robot.window(),
      gates: async (order, signal) => (robot.gates ? robot.gates(order, signal) : robot.closed),
      send(frame) {
        expect(agentFrames[frame.type](frame), JSON.stringify(frame)).toBe(true);
        if (robot.isLinked && frame.type === 'report') robot.reports.push(frame);
        return robot.isLinked;
      },
      tell: (message, level) => void robot.told.push(level === undefined ? message : `${level}: ${message}`),
      say: (source, line) => void robot.lines.push(`${source}: ${line}`),
    });
    await desk.open();
    return desk;
  };
  const robot: Robot = {
    desk: undefined as unknown as OrderManager,
    folder,
    reports: [],
    lines: [],
    told: [],
    isLinked: true,
    closed: undefined,
    gates: undefined,
    window: () => undefined,
    path,
    take: (...items) => robot.desk.desired({ type: 'desired', hash: String(items.length), items } satisfies Desired),
    async ended({ order_id: id }, within = 10_000) {
      const find = () => robot.reports.findLast((each) => each.order_id === id && terminal.includes(each.status));
      await expect.poll(find, { timeout: within, interval: 10 }).toBeDefined();
      return find() as OrderState;
    },
    read: async (namespace) => JSON.parse(await readFile(path('config', `${namespace}.json`), 'utf8')) as unknown,
    async restart(change) {
      await robot.desk.stop();
      await change?.();
      robot.reports = [];
      robot.desk = await open();
    },
    journal: async ({ order_id: id }) =>
      JSON.parse(await readFile(path('orders', `${id}.json`), 'utf8')) as Record<string, unknown>,
    async [Symbol.asyncDispose]() {
      await robot.desk.stop();
      await service[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
  robot.desk = await open();
  return robot;
}

export const said = ({ reports }: Robot, { order_id: id }: Order) =>
  reports.filter((each) => each.order_id === id).map(({ status }) => status);

export const artifact = (robot: Robot, content: string, name = sha256(content)) =>
  writeFile(robot.path('artifacts', name), content);
