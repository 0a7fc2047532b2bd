import type { Order, OrderState, OrderStep, Report, ReportAck } from '../../../generated/frames.js';
import type { Gates } from '../gates/gates.ts';
import { holdOf } from '../gates/hold.ts';
import { closedWindow, ownZone } from '../gates/window.ts';
import { withoutPayload, type Outcome } from '../orders/handler.ts';
import { sha256 } from '../orders/payload.ts';
import { beginStep } from '../orders/step-times.ts';
import { waitUntilOpen } from '../orders/wait-until-open.ts';
import { scriptOf, stepNames, unableToStart } from './order-script.ts';
import type { Profile } from './profile.ts';
import type { Counts } from './tally.ts';
import type { TimerWheel } from './timer-wheel.ts';
import type { Traits } from './traits.ts';

/** Plays the orders of a simulated robot: does nothing, with the duration and the outcome that its seed determines. */
export interface PlayedOrders {
  /** For `hello`: the unacknowledged and the active orders. */
  holding(): OrderState[];
  /** Takes the whole list. */
  desired(orders: readonly Order[]): void;
  acknowledged(ack: ReportAck): void;
  /** Lanes of the known orders. */
  lanes(): Iterable<string>;
  /** Last order of the lane, empty if none is known; undefined while one is active or not acknowledged. */
  restOf(lane: string): string | undefined;
}

interface PlaySettings {
  profile: Profile;
  /** The seed of this robot. */
  seed: string;
  traits: Pick<Traits, 'isProne' | 'isOld' | 'slowness'>;
  gates: Gates;
  wheel: TimerWheel;
  counts: Counts;
  /** Returns false without a link. */
  send(report: Report): boolean;
  /** Writes a line to the log of the robot. */
  log(message: string): void;
  /** Fetches a payload that is not sent on the link. */
  fetchPayload(digest: string): Promise<string>;
  /** A release runs, from this order on. */
  onRelease(lane: string, digest: string): void;
  /** Ends waits for gates and windows, with the robot. */
  signal: AbortSignal;
}

interface PlayedOrder {
  order: Order;
  state: OrderState;
  isEnded: boolean;
  /** It does nothing more, and never ends by itself. */
  isSilent: boolean;
  isAcknowledged: boolean;
  cancel: AbortController;
  /** How long its steps took, if it is traced. */
  steps?: OrderStep[];
}

/** Ended orders to remember, so that a list already under way starts none of them again. */
const remembered = 20;

export function playOrders(settings: PlaySettings): PlayedOrders {
  const { profile, seed, traits, gates, wheel, counts, send, log, fetchPayload, signal } = settings;
  let wanted: readonly Order[] = [];
  const known = new Map<string, PlayedOrder>();
  const all = () => [...known.values()];
  const ofLane = (lane: string) => all().filter(({ order }) => order.lane === lane);
  const isWanted = (id: string) => wanted.some((order) => order.order_id === id);
  const pause = (ms: number) => new Promise<void>((resolve) => wheel.add({ run: () => (resolve(), undefined) }, ms));

  function say(played: PlayedOrder, state: Outcome, steps?: OrderStep[]): void {
    played.state = { order_id: played.order.order_id, ...state, ...(steps && { steps }) };
    played.isAcknowledged = false;
    if (send({ type: 'report', ...played.state })) counts.reports += 1;
  }

  function begin(): void {
    for (const order of wanted.toSorted((one, other) => one.sequence - other.sequence)) {
      if (known.has(order.order_id) || ofLane(order.lane).some(({ isEnded }) => !isEnded)) continue;
      const state = { order_id: order.order_id, status: '' };
      const cancel = new AbortController();
      if (order.cancel) cancel.abort();
      const played = { order, state, isEnded: false, isSilent: false, isAcknowledged: false, cancel };
      known.set(order.order_id, played);
      counts.orders_begun += 1;
      void carry(played).then((outcome) => {
        if (outcome) end(played, outcome);
        else if (!signal.aborted) hang(played);
      });
    }
  }

  /** Undefined for an order that has no end. */
  async function carry(played: PlayedOrder): Promise<Outcome | undefined> {
    const { order, cancel } = played;
    const script = scriptOf(profile, seed, order);
    const failing = script.end && script.steps.findLast((status) => status !== 'rolling_back');
    for (const status of script.steps) {
      const disturbs = status === 'installing' || status === 'verifying';
      const endWait = beginStep(played, 'wait');
      const hasWaited =
        disturbs && !traits.isOld && (await waits(played, status === 'installing' ? 'install' : 'activate'));
      if (signal.aborted) return undefined;
      if (hasWaited) endWait(false);
      if (isCancelled(played, hasWaited)) return cancelled(cancel);
      say(played, { status });
      const endStep = beginStep(played, stepNames[status] ?? status);
      await pause(script.stepMs() * traits.slowness);
      endStep(status === failing);
    }
    if (script.end === 'silent') return undefined;
    if (isCancelled(played)) return cancelled(cancel);
    return script.end ?? proof(order);
  }

  /** An order that is installed can be cancelled only while it waits to take effect. */
  const isCancelled = ({ cancel, state }: PlayedOrder, hasWaited = false) =>
    cancel.signal.aborted && (hasWaited || state.status === '' || state.status === 'downloading');

  /** Waits for gates and the window; whether it had to. An order that was cancelled meanwhile has `cancel` aborted. */
  async function waits(played: PlayedOrder, step: 'install' | 'activate'): Promise<boolean> {
    const { order, cancel } = played;
    let hasWaited = false;
    await waitUntilOpen({
      hasWaited: false,
      signal: AbortSignal.any([cancel.signal, signal]),
      async ask() {
        const parts = { gates, closedWindow: ({ window }: Order) => window && closedWindow(window, ownZone()) };
        const closed = await holdOf(parts, order, { step, hasWaited, signal });
        if (closed === 'window_ended') cancel.abort(closed);
        // The service gave it up, and nothing has taken effect.
        else if (closed && !isWanted(order.order_id)) cancel.abort();
        hasWaited ||= closed !== undefined;
        return closed === 'window_ended' ? undefined : closed;
      },
      onWait: () => Promise.resolve(void (counts.gate_waits += 1)),
      report: (progress) => send({ type: 'report', ...played.state, progress }),
    });
    return hasWaited;
  }

  /** What runs now is proved, unless it is the release that does not start on this robot. */
  async function proof({ lane, digest, payload }: Order): Promise<Outcome> {
    try {
      const text = payload ?? (await fetchPayload(digest));
      if (lane === 'config') return { status: 'applied', digest: sha256(text) };
      const { release } = JSON.parse(text) as { release: { tag: string; artifact_sha256: string } };
      if (traits.isProne && release.tag === profile.bad_release) return unableToStart;
      settings.onRelease(lane, release.artifact_sha256);
      return { status: 'applied', digest: release.artifact_sha256 };
    } catch (error) {
      return { status: 'failed', reason: 'payload_unavailable', message: (error as Error).message };
    }
  }

  function end(played: PlayedOrder, outcome: Outcome): void {
    const { order_id: id, lane } = played.order;
    const { status, reason = '', message = '' } = outcome;
    if (status === 'failed' || status === 'rolled_back')
      log(`order ${id} of lane ${lane}: ${status}, ${reason}, ${message}`);
    played.isEnded = true;
    played.order = withoutPayload(played.order);
    say(played, outcome, played.steps);
    counts[`orders_${status as 'applied' | 'failed' | 'rolled_back' | 'cancelled'}`] += 1;
    begin();
  }

  /** Until the service gives it up, an order without an end keeps others of its lane from beginning. */
  function hang(played: PlayedOrder): void {
    const { order_id: id } = played.order;
    played.isSilent = true;
    if (isWanted(id)) return;
    known.delete(id);
    counts.orders_timed_out += 1;
    begin();
  }

  return {
    holding: () => all().flatMap(({ state, isEnded, isAcknowledged }) => (!isEnded || !isAcknowledged ? [state] : [])),
    desired(items) {
      wanted = items;
      for (const { order_id: id, cancel } of items) {
        const played = known.get(id);
        if (!played) continue;
        if (played.isEnded) send({ type: 'report', ...played.state });
        else if (cancel) played.cancel.abort();
      }
      for (const played of all()) if (played.isSilent) hang(played);
      begin();
    },
    acknowledged({ order_id: id, status }) {
      const played = known.get(id);
      if (played?.state.status !== status) return;
      played.isAcknowledged = true;
      counts.report_acks += 1;
      const settled = all().filter(({ isEnded, isAcknowledged }) => isEnded && isAcknowledged);
      for (const { order } of settled.slice(0, -remembered)) known.delete(order.order_id);
    },
    lanes: () => new Set(all().map(({ order }) => order.lane)),
    restOf(lane) {
      const orders = ofLane(lane);
      if (orders.some(({ isEnded, isAcknowledged }) => !isEnded || !isAcknowledged)) return undefined;
      return orders.at(-1)?.order.order_id ?? '';
    },
  };
}

const cancelled = ({ signal }: AbortController): Outcome =>
  signal.reason === 'window_ended' ? { status: 'cancelled', reason: 'window_ended' } : { status: 'cancelled' };
