import type { Logger } from 'pino';
import type { OrderPort, RobotKey } from '../deployments/api/service.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { isDatabaseAway } from '../platform/db/faults.ts';
import { desiredWriter } from './desired.ts';
import { sendFrame, type Link } from './link.ts';
import type { LinkLimits } from './model.ts';
import { keyedThrottle } from './keyed-throttle.ts';
import { spreadVisits } from './spread-visits.ts';

/** Robots per pass. */
const maxRobots = 1_000;
/** Links that become due within this time share one pass. The sweeper, which the same hints wake, mostly ends before. */
const gatherMs = 20;
const retryMs = 2_000;
/** After hints may have been lost, all links are checked, spread over this time. */
const resetWithinMs = 10_000;
/** Links with pending orders are checked first: at once, and again after this time while hints keep being lost. */
const resetPauseMs = 2_000;
/** Pauses between hints of one deployment. A cancel is announced twice: when it is requested, and when its orders are to stop. */
const hintPauses = { firstMs: 25, longestMs: 1_000 };

interface DeliverySettings {
  orderPort: OrderPort;
  bus: Bus;
  log: Logger;
  replicaId: string;
  limits: Pick<LinkLimits, 'resendAfterMs' | 'overdueEveryMs' | 'pendingEveryMs'>;
  nowMs(): number;
  links(): Iterable<Link>;
  linkOf(robotId: string): Link | undefined;
  /** A list was sent, this long after its link became due. */
  onDelivered(seconds: number): void;
}

/** A link, and the time since which it is due: of performance.now(). */
type DueLink = readonly [link: Link, sinceMs: number];

/**
 * Sends orders to robots linked to this replica. The rows are the truth: any sign of a change makes a link due, and a
 * pass reads its orders. The list is sent if it differs from the last one sent. A link without `desiredHash` always
 * gets its list: when it is new, and when the agent seems to have missed one.
 */
export function delivery(settings: DeliverySettings) {
  const { orderPort, bus, log, replicaId, limits, nowMs, links, linkOf, onDelivered } = settings;
  const due = new Map<Link, number>();
  let timer: NodeJS.Timeout | undefined;
  let passing: Promise<void> | undefined;
  let stopped = false;

  function soon(): void {
    if (timer || passing || stopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      passing = passes().finally(() => {
        passing = undefined;
        if (due.size > 0) soon();
      });
    }, gatherMs);
    timer.unref();
  }

  async function passes(): Promise<void> {
    const failed: DueLink[] = [];
    while (due.size > 0 && !stopped) {
      const batch: DueLink[] = [];
      for (const [link, sinceMs] of due) {
        due.delete(link);
        if (takes(link)) batch.push([link, sinceMs]);
        if (batch.length === maxRobots) break;
      }
      failed.push(...(await deliver(batch)));
    }
    if (failed.length > 0)
      setTimeout(() => failed.forEach(([link, sinceMs]) => makeDue(link, sinceMs)), retryMs).unref();
  }

  /** Returns the links whose pass failed. A robot whose orders cannot be dispatched does not hold up the others. */
  async function deliver(batch: readonly DueLink[]): Promise<readonly DueLink[]> {
    try {
      await pass(batch);
      return [];
    } catch (error) {
      if (batch.length > 1 && !isDatabaseAway(error)) {
        const half = Math.ceil(batch.length / 2);
        return [...(await deliver(batch.slice(0, half))), ...(await deliver(batch.slice(half)))];
      }
      const { orgId, robotId } = batch[0]?.[0] ?? {};
      log.warn({ err: error, robots: batch.length, orgId, robotId }, 'orders could not be sent; retrying');
      return batch;
    }
  }

  async function pass(batch: readonly DueLink[]): Promise<void> {
    if (batch.length === 0) return;
    const robots = batch.map(([{ orgId, robotId }]) => ({ orgId, robotId }));
    await orderPort.dispatch(robots);
    const open = await orderPort.openOrders(robots);
    const { write } = desiredWriter();
    for (const [link, sinceMs] of batch) {
      if (!takes(link)) continue; // it ended meanwhile
      const orders = open.get(link.robotId) ?? [];
      link.openOrders = orders.length;
      const { hash, text } = write(orders);
      if (hash === link.desiredHash) continue;
      link.desiredHash = hash;
      link.desiredMs = nowMs();
      sendFrame(link, text);
      onDelivered((performance.now() - sinceMs) / 1_000);
    }
  }

  function makeDue(link: Link, sinceMs = performance.now()): void {
    if (!takes(link)) return;
    if (!due.has(link)) due.set(link, sinceMs);
    soon();
  }

  /** Sends the list even if it was sent before. */
  function resend(link: Link): void {
    link.desiredHash = undefined;
    makeDue(link);
  }

  const linked = (robots: readonly RobotKey[]) =>
    robots.flatMap(({ orgId, robotId }) => {
      const link = linkOf(robotId);
      return link?.orgId === orgId ? [link] : [];
    });

  const hints = keyedThrottle(
    hintPauses,
    async (deployment: { orgId: string; deploymentId: string }) =>
      linked(await orderPort.concerned(replicaId, deployment)).forEach((link) => makeDue(link)),
    (error) => log.warn({ err: error }, 'the robots of a deployment could not be read; retrying'),
  );

  const all = spreadVisits(links, (link) => makeDue(link), resetWithinMs);
  const pending = keyedThrottle(
    { firstMs: resetPauseMs, longestMs: resetPauseMs },
    async (replica: string) => linked(await orderPort.pending(replica)).forEach((link) => makeDue(link)),
    (error) => log.warn({ err: error }, 'robots with pending orders could not be read; retrying'),
  );

  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'orders_changed') hints.ask(hint.deploymentId, hint);
      if (hint.topic === 'robot_changed') linked([hint]).forEach((link) => makeDue(link));
    },
    reset() {
      pending.ask(replicaId, replicaId);
      all.begin();
    },
  });

  const belt = setInterval(() => {
    orderPort
      .overdue(replicaId)
      .then((robots) => linked(robots).forEach(resend))
      .catch((error: unknown) => log.warn({ err: error }, 'overdue orders could not be read'));
  }, limits.overdueEveryMs);
  belt.unref();
  // No hint arrives while the bus is down, however long that is.
  const poll = setInterval(() => {
    if (!bus.up) pending.ask(replicaId, replicaId);
  }, limits.pendingEveryMs);
  poll.unref();

  return {
    /** For a new link, or one whose robot has a free lane again. */
    makeDue: (link: Link) => makeDue(link),

    /** A heartbeat stated which list the agent has. A list sent just now may have crossed it. */
    compare(link: Link, hash: string): void {
      if (link.desiredHash === undefined || link.desiredHash === hash) return;
      if (nowMs() - link.desiredMs >= limits.resendAfterMs) resend(link);
    },

    /** Dispatches no more, and waits for the current pass. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      all.stop();
      pending.stop();
      clearInterval(belt);
      clearInterval(poll);
      hints.stop();
      await passing;
    },
  };
}

const takes = ({ state, stale, takesOrders, endReason }: Link): boolean =>
  takesOrders && state === 'up' && !stale && endReason === undefined;
