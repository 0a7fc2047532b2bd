import type { Order, OrderState, Report, ReportAck } from '../../../generated/frames.js';
import { orderSteps } from '../../../generated/protocol.js';
import { withoutPayload, type Outcome } from '../orders/handler.ts';
import { sha256 } from '../orders/payload.ts';
import type { Profile } from './profile.ts';
import { between, seeded } from './random.ts';
import type { Counts } from './tally.ts';
import type { TimerWheel } from './timer-wheel.ts';

/** Plays the orders of a simulated robot: does nothing, with the duration and the outcome that its seed determines. */
export interface PlayedOrders {
  /** For `hello`: the unacknowledged and the active orders. */
  holding(): OrderState[];
  /** Takes the whole list. */
  desired(orders: readonly Order[]): void;
  acknowledged(ack: ReportAck): void;
}

interface PlaySettings {
  profile: Profile;
  /** The seed of this robot. */
  seed: string;
  wheel: TimerWheel;
  counts: Counts;
  /** Returns false without a link. */
  send(report: Report): boolean;
  /** Writes a line to the log of the robot. */
  log(message: string): void;
  /** Fetches a payload that is not sent on the link. */
  fetchPayload(digest: string): Promise<string>;
}

interface PlayedOrder {
  order: Order;
  state: OrderState;
  /** The remaining steps; empty once the order has ended. */
  steps: OrderState['status'][];
  isAcknowledged: boolean;
  isCancelled: boolean;
}

/** What goes wrong on a robot whose order fails or is rolled back. */
const failures = {
  failed: { reason: 'install_failed', message: 'no space left on /data: 12 MiB are free, 38 MiB are required' },
  rolled_back: {
    reason: 'verify_failed',
    message: 'the new version exited with 1 within 3 s: cannot open /dev/lidar0',
  },
} as const;

/** Ended orders to remember, so that a list already under way starts none of them again. */
const remembered = 20;

export function playOrders({ profile, seed, wheel, counts, send, log, fetchPayload }: PlaySettings): PlayedOrders {
  let wanted: readonly Order[] = [];
  const known = new Map<string, PlayedOrder>();
  const all = () => [...known.values()];
  /** The bad release does not start on this robot, each time it gets it. */
  const isProne = seeded(`${seed}/bad_release`)() * 100 < profile.bad_release_percent;
  const isBusy = (lane: string) => all().some(({ order, steps }) => order.lane === lane && steps.length > 0);

  function say(played: PlayedOrder, state: Outcome): void {
    played.state = { order_id: played.order.order_id, ...state };
    played.isAcknowledged = false;
    if (send({ type: 'report', ...played.state })) counts.reports += 1;
  }

  /** All steps of an order, from its number alone: another run with the same seed plays it alike. */
  function scriptOf({ sequence }: Order): { steps: string[]; stepMs: () => number } {
    const random = seeded(`${seed}/orders/${sequence}`);
    const part = random() * 100;
    const stepMs = () => (between(random, 0.5, 1.5) * profile.order_seconds * 1000) / orderSteps.length;
    if (part < profile.fail_percent)
      return { steps: [...orderSteps.slice(0, 1 + Math.floor(random() * 2)), 'failed'], stepMs };
    if (part < profile.fail_percent + profile.rollback_percent)
      return { steps: [...orderSteps, 'rolling_back', 'rolled_back'], stepMs };
    return { steps: [...orderSteps, 'applied'], stepMs };
  }

  function begin(): void {
    for (const order of wanted.toSorted((one, other) => one.sequence - other.sequence)) {
      if (known.has(order.order_id) || isBusy(order.lane)) continue;
      const { steps, stepMs } = scriptOf(order);
      const state = { order_id: order.order_id, status: '' };
      const played = { order, state, steps, isAcknowledged: false, isCancelled: order.cancel === true };
      known.set(order.order_id, played);
      counts.orders_begun += 1;
      advance(played);
      if (played.steps.length > 0) wheel.add({ run: () => (advance(played) ? stepMs() : undefined) }, stepMs());
    }
  }

  /** Takes the next step; returns false if it was the last. */
  function advance(played: PlayedOrder): boolean {
    const isBeforeActivation = played.state.status === '' || played.state.status === 'downloading';
    if (played.isCancelled && isBeforeActivation) end(played, { status: 'cancelled' });
    else {
      const status = played.steps.shift() ?? 'failed';
      if (played.steps.length > 0) say(played, { status });
      else if (status === 'applied') void start(played);
      else fail(played, status === 'failed' ? 'failed' : 'rolled_back');
    }
    return played.steps.length > 0;
  }

  function fail(played: PlayedOrder, status: keyof typeof failures): void {
    const { order_id: id, lane } = played.order;
    const failure = failures[status];
    log(`order ${id} of lane ${lane}: ${status}, ${failure.reason}, ${failure.message}`);
    end(played, { status, ...failure });
  }

  /** The last step: what runs now is proved, unless it is the release that does not start on this robot. */
  async function start(played: PlayedOrder): Promise<void> {
    try {
      const { lane, digest, payload = await fetchPayload(digest) } = played.order;
      if (lane === 'config') return end(played, { status: 'applied', digest: sha256(payload) });
      const { release } = JSON.parse(payload) as { release: { tag: string; artifact_sha256: string } };
      if (isProne && release.tag === profile.bad_release) return fail(played, 'rolled_back');
      end(played, { status: 'applied', digest: release.artifact_sha256 });
    } catch (error) {
      end(played, { status: 'failed', reason: 'payload_unavailable', message: (error as Error).message });
    }
  }

  function end(played: PlayedOrder, state: Outcome): void {
    played.steps = [];
    played.order = withoutPayload(played.order);
    say(played, state);
    const outcome = state.status as 'applied' | 'failed' | 'rolled_back' | 'cancelled';
    counts[`orders_${outcome}`] += 1;
    begin();
  }

  return {
    holding: () =>
      all().flatMap(({ state, steps, isAcknowledged }) => (steps.length > 0 || !isAcknowledged ? [state] : [])),
    desired(items) {
      wanted = items;
      for (const { order_id: id, cancel } of items) {
        const played = known.get(id);
        if (!played) continue;
        if (played.steps.length === 0) send({ type: 'report', ...played.state });
        else if (cancel) played.isCancelled = true;
      }
      begin();
    },
    acknowledged({ order_id: id, status }) {
      const played = known.get(id);
      if (played?.state.status !== status) return;
      played.isAcknowledged = true;
      counts.report_acks += 1;
      const settled = all().filter(({ steps, isAcknowledged }) => steps.length === 0 && isAcknowledged);
      for (const { order } of settled.slice(0, -remembered)) known.delete(order.order_id);
    },
  };
}
