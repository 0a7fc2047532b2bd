import type { Order } from '../../../generated/frames.js';
import { robotGates, type RobotState } from '../../../cli/agent/gates/gates.ts';
import { holdOf } from '../../../cli/agent/gates/hold.ts';
import { closedWindow } from '../../../cli/agent/gates/window.ts';
import { scriptOf } from '../../../cli/agent/simulate/order-script.ts';
import { longOutages } from '../../../cli/agent/simulate/outages.ts';
import type { Profile } from '../../../cli/agent/simulate/profile.ts';
import { seeded } from '../../../cli/agent/simulate/random.ts';
import { traitsOf } from '../../../cli/agent/simulate/traits.ts';
import type { OpenOrder, OrderReport } from '../../../src/deployments/api/service.ts';
import type { DeploymentWorld, LinkedRobot } from './support.ts';

/** A robot whose time is that of the test: its health, outages and failures follow from its seed, as in a simulation. */
export interface YearRobot {
  link: LinkedRobot;
  isOnlineAt(at: Date): boolean;
  /** One step of each order, as if minutes passed. Returns whether it did anything but wait. */
  act(orders: readonly OpenOrder[], at: Date): Promise<boolean>;
  /** When releases took effect. */
  activations: Date[];
}

interface Carried {
  next: 'begin' | 'install' | 'activate' | 'end';
  hasWaited: boolean;
  /** The last wait that was reported. */
  wait: string;
  reportedMs: number;
}

/** Robots report it every minute; the service waits for 24 hours. */
const reportWaitEveryMs = 12 * 3_600_000;

export function yearRobot(
  it: DeploymentWorld,
  link: LinkedRobot,
  seed: string,
  profile: Profile,
  from: Date,
): YearRobot {
  const traits = traitsOf(seed, profile);
  const activations: Date[] = [];
  const carried = new Map<string, Carried>();

  const outages = longOutages(seed, profile);
  let outage = outages.next().value;
  let isOnline = true;
  let changesMs = traits.isOftenOffline ? from.getTime() + outage.onlineMs : Infinity;
  function isOnlineAt(at: Date): boolean {
    for (; changesMs <= at.getTime(); isOnline = !isOnline) {
      if (!isOnline) outage = outages.next().value;
      changesMs += isOnline ? outage.offlineMs : outage.onlineMs;
    }
    return isOnline;
  }

  async function step(order: OpenOrder, at: Date): Promise<boolean> {
    const progress = carried.get(order.orderId) ?? { next: 'begin', hasWaited: false, wait: '', reportedMs: 0 };
    carried.set(order.orderId, progress);
    const report = (said: Omit<OrderReport, 'orderId'>) => it.report(link, { orderId: order.orderId, ...said });
    const end = async (said: Omit<OrderReport, 'orderId'>) => {
      progress.next = 'end';
      await report(said);
      return true;
    };
    const { orderId: order_id, lane, sequence, deployments, digest, payload = '', terms, cancel } = order;
    // As it is sent: JSON.
    const wire = structuredClone({ order_id, lane, sequence, deployments, digest, ...terms }) as Order;
    const script = scriptOf(profile, seed, wire);
    if (progress.next === 'end') return false;
    if (progress.next === 'begin') {
      await report({ status: 'downloading' });
      progress.next = 'install';
      return true;
    }
    if (cancel) return end({ status: 'cancelled' });
    const status = progress.next === 'install' ? 'downloading' : 'installing';
    const isLast = script.steps.length === (progress.next === 'install' ? 1 : 2);
    if (isLast && script.end) return script.end !== 'silent' && end(script.end);
    const gates = robotGates(traits.gates, {
      look: () => Promise.resolve(stateOf(seed, at)),
      folder: '',
      environment: {},
    });
    const hold = await holdOf(
      { gates, closedWindow: ({ window }) => window && closedWindow(window, 'UTC', at) },
      wire,
      {
        step: progress.next,
        hasWaited: progress.hasWaited,
        signal: new AbortController().signal,
      },
    );
    if (hold === 'window_ended') return end({ status: 'cancelled', reason: hold });
    if (hold) {
      progress.hasWaited = true;
      const wait = `${hold.holder}: ${hold.reason}`;
      if (wait === progress.wait && at.getTime() - progress.reportedMs < reportWaitEveryMs) return false;
      Object.assign(progress, { wait, reportedMs: at.getTime() });
      await report({ status, progress: { percent: 100, waitingOn: hold } });
      return false;
    }
    Object.assign(progress, { hasWaited: false, wait: '' });
    if (progress.next === 'install') {
      await report({ status: 'installing' });
      progress.next = 'activate';
      return true;
    }
    activations.push(at);
    if (script.end) return script.end !== 'silent' && end(script.end);
    const { release } = JSON.parse(payload) as { release: { artifact_sha256: string } };
    return end({ status: 'applied', digest: release.artifact_sha256 });
  }

  return {
    link,
    isOnlineAt,
    activations,
    async act(orders, at) {
      const known = new Set(orders.map(({ orderId }) => orderId));
      for (const id of carried.keys()) if (!known.has(id)) carried.delete(id);
      const did = await Promise.all(orders.map((order) => step(order, at)));
      return did.includes(true);
    },
  };
}

/** Missions and charges change every hour, and an emergency stop lasts until the day ends. */
function stateOf(seed: string, at: Date): RobotState {
  const [hour, day] = [at.toISOString().slice(0, 13), at.toISOString().slice(0, 10)];
  const random = seeded(`${seed}/${hour}`);
  const percent = 20 + random() * 80;
  return {
    battery: { percent, charging: random() < 0.2 },
    mission: { state: random() < 0.3 ? 'active' : 'idle' },
    estop: seeded(`${seed}/${day}/estop`)() < 0.01,
  };
}
