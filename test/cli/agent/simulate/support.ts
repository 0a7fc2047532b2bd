import type { Order, OrderState, Report } from '../../../../generated/frames.js';
import { robotGates, type RobotState } from '../../../../cli/agent/gates/gates.ts';
import { playOrders, type PlayedOrders } from '../../../../cli/agent/simulate/orders.ts';
import { readProfile } from '../../../../cli/agent/simulate/read-profile.ts';
import { emptyCounts, type Counts } from '../../../../cli/agent/simulate/tally.ts';
import { startTimerWheel } from '../../../../cli/agent/simulate/timer-wheel.ts';
import { traitsOf } from '../../../../cli/agent/simulate/traits.ts';

export const seeds = Array.from({ length: 200 }, (_, index) => `7/${index}`);

export const isEnd = ({ status }: OrderState) => /^(?:applied|failed|rolled_back|cancelled)$/.test(status);

interface Player {
  orders: PlayedOrders;
  counts: Counts;
  reports: Report[];
  last(): OrderState | undefined;
}

/** What plays the orders of robots with these seeds, without links. Every other robot has to fetch its payloads. */
export function players(
  profile: object,
  settings: { seeds?: readonly string[]; state?: RobotState; payload?: string },
) {
  const wheel = startTimerWheel();
  const ending = new AbortController();
  const read = readProfile(JSON.stringify({ order_seconds: 0.1, ...profile }));
  const all = (settings.seeds ?? seeds).map((seed): Player => {
    const reports: Report[] = [];
    const counts = emptyCounts();
    const traits = traitsOf(seed, read);
    const look = () => Promise.resolve(settings.state ?? {});
    const orders = playOrders({
      profile: read,
      seed,
      traits,
      wheel,
      counts,
      signal: ending.signal,
      gates: robotGates(traits.gates, { look, folder: '', environment: {} }),
      log: () => undefined,
      send: (report) => reports.push(report) > 0,
      fetchPayload: () => Promise.resolve(settings.payload ?? ''),
      onRelease: () => undefined,
    });
    return { orders, counts, reports, last: () => reports.at(-1) };
  });
  return {
    all,
    give(...orders: Order[]) {
      for (const player of all) player.orders.desired(orders);
    },
    [Symbol.dispose]() {
      ending.abort();
      wheel.stop();
    },
  };
}
