import { setTimeout as pause } from 'node:timers/promises';
import type { AgentFrame, Desired, Order, OrderState, OrderWait, ReportAck } from '../../../generated/frames.js';
import type { Gates } from '../gates/gates.ts';
import { holdOf } from '../gates/hold.ts';
import { carryOut, isBeforeActivation } from './carry-out.ts';
import {
  Stopped,
  withoutPayload,
  type Failure,
  type Handler,
  type Outcome,
  type Step,
  type OrderContext,
} from './handler.ts';
import { openJournal, type Journal, type OrderRecord } from './journal.ts';
import { payloadOf, type PayloadSource } from './payload.ts';
import { progressReporter } from './progress.ts';
import { orderReports, type OrderReports } from './reports.ts';
import { endOf, statusOf, newOrderRecord } from './state.ts';
import { beginStep } from './step-times.ts';
import { waitUntilOpen } from './wait-until-open.ts';

interface OrderManagerSettings {
  /** Folder of the journal; created if missing. */
  folder: string;
  payloads: PayloadSource;
  /** The handler for the order's current step. Throws StepFailed for an order that cannot be handled. */
  handlerOf(task: OrderContext, step: OrderRecord['step']): Handler | Promise<Handler>;
  /** What must hold before an order may disturb the robot. */
  gates: Gates;
  /** What an order waits for outside of its window. Default: windows are open. */
  closedWindow?(order: Order): OrderWait | undefined;
  /** False if there is no link. */
  send(frame: AgentFrame): boolean;
  /** Emits a message of the agent itself. */
  tell(message: string, level?: 'error'): void;
  say: OrderContext['say'];
}

/** Accepts the orders of the service and carries out each once. Orders of one lane run one after the other. */
export interface OrderManager {
  /** False until the journal is read. Stays false if its folder cannot be written: then no order may be accepted. */
  readonly isOpen: boolean;
  /** The hash of the last accepted list of orders. */
  readonly desiredHash: string | undefined;
  /** Reads the journal and resumes orders interrupted by a crash. Resolves even if that fails. */
  open(): Promise<void>;
  /** Order states to send with hello. States that do not fit are sent by `linkUp`. */
  holding(): OrderState[];
  linkUp(): void;
  desired(frame: Desired): void;
  acknowledged(ack: ReportAck): void;
  /** Lanes of the orders in the journal. */
  lanes(): Iterable<string>;
  /**
   * Last order of the lane, empty if none is known; undefined while one is carried out, or until the service has
   * acknowledged its end.
   */
  restOf(lane: string): string | undefined;
  /** Leaves orders that can resume on the next start; ends a program that must not run twice. */
  stop(): Promise<void>;
}

/** Available once the journal is read. */
interface OpenedJournal {
  journal: Journal;
  reports: OrderReports;
}

export function orderManager(settings: OrderManagerSettings): OrderManager {
  const { folder, send, tell } = settings;
  /** Undefined until the journal is read. */
  let open: OpenedJournal | undefined;
  let desiredHash: string | undefined;
  let wanted: readonly Order[] = [];
  /** By lane. */
  const running = new Map<string, { id: string; cancel: AbortController; done: Promise<void> }>();
  /**
   * Lanes whose order is about to restart the agent. Other running orders end first, except those that wait for a gate,
   * and no new order begins.
   */
  const leaving = new Set<string>();
  const waiting = new Set<string>();
  const stopping = new AbortController();
  const records = () => [...(open?.journal.records.values() ?? [])];

  /** Begins the next order in each free lane; orders interrupted by a crash come first. */
  function begin(own: OpenedJournal): void {
    if (stopping.signal.aborted || leaving.size > 0) return;
    const { journal } = own;
    const cut = records().flatMap(({ step, order }) => (step === 'ended' ? [] : [order]));
    const fresh = wanted.filter(({ order_id: id }) => !journal.records.has(id));
    for (const { order_id: id, lane } of [cut, fresh].flatMap((orders) => orders.toSorted(bySequence))) {
      if (running.has(lane)) continue;
      const order = wanted.find((each) => each.order_id === id);
      const record = journal.records.get(id) ?? (order && newOrderRecord(order));
      if (!record) continue;
      journal.records.set(id, record);
      const cancel = new AbortController();
      if (order?.cancel) cancel.abort();
      const done = carry(own, record, cancel).finally(() => {
        running.delete(lane);
        leaving.delete(lane);
        begin(own);
      });
      running.set(lane, { id, cancel, done });
    }
  }

  async function carry(own: OpenedJournal, record: OrderRecord, cancelled: AbortController): Promise<void> {
    const { order } = record;
    const directory = own.journal.directoryOf(order.order_id);
    let handler: Handler | undefined;

    async function makeHandler(): Promise<Handler> {
      const signal = isBeforeActivation(record.step)
        ? AbortSignal.any([cancelled.signal, stopping.signal])
        : stopping.signal;
      const payload = await payloadOf(order, directory, settings.payloads, signal).catch((error: unknown) => {
        throw stopping.signal.aborted ? new Stopped() : error;
      });
      const task: OrderContext = {
        order,
        payload,
        directory,
        notes: record.notes,
        save: () => own.journal.write(record),
        stopping: stopping.signal,
        interrupted: AbortSignal.any([cancelled.signal, stopping.signal]),
        progress: progressReporter((progress) => send({ type: 'report', ...record.report, progress })),
        say: settings.say,
      };
      return settings.handlerOf(task, record.step);
    }

    const outcome = await carryOut({
      record,
      cancelled: cancelled.signal,
      stopping: stopping.signal,
      enter: (step, failure) => enter(own, record, step, failure),
      handler: async () => (handler ??= await makeHandler()),
      untilOpen: (step) => untilOpen(own, record, step, cancelled),
    });
    if (!outcome) return;
    await handler?.cleanup?.().catch(() => undefined);
    const isTooLate = outcome.status === 'cancelled' && cancelled.signal.reason === 'window_ended';
    await end(own, record, isTooLate ? { ...outcome, reason: 'window_ended' } : outcome);
  }

  /** Writes to disk before it reports, so that a crash never undoes what was reported. */
  async function enter(own: OpenedJournal, record: OrderRecord, step: Step, failure?: Failure): Promise<void> {
    if (isRestart(step) && record.step !== step) await othersEnded(record.order.lane);
    const attempt = record.step === step ? record.attempt + 1 : 1;
    const status = statusOf[step];
    const isNews = status !== record.report.status || (step === 'download' && attempt === 1);
    const report: OrderState = { order_id: record.order.order_id, status };
    const change = { step, attempt, failure, ...(isNews && { report, isAcknowledged: false }) };
    await own.journal.write({ ...record, ...change });
    Object.assign(record, change);
    if (isNews) own.reports.send(record);
  }

  /** A wait is journaled as a step that has not begun, so that restarts of the agent are no attempts of the step. */
  async function untilOpen(
    own: OpenedJournal,
    record: OrderRecord,
    step: 'install' | 'activate',
    cancelled: AbortController,
  ): Promise<void> {
    const { order } = record;
    const { order_id: id, lane } = order;
    const signal = AbortSignal.any([cancelled.signal, stopping.signal]);
    const endWait = beginStep(record, 'wait');
    await waitUntilOpen({
      hasWaited: record.step === step,
      signal,
      async ask() {
        const hasWaited = waiting.has(lane) || record.step === step;
        const closed = await holdOf({ closedWindow: () => undefined, ...settings }, order, { step, hasWaited, signal });
        if (signal.aborted) return undefined;
        if (closed === 'window_ended') {
          cancelled.abort(closed);
          return undefined;
        }
        // The service gave up the order, and nothing of it has taken effect.
        const isGivenUp = desiredHash !== undefined && !wanted.some((each) => each.order_id === id);
        if (closed && isGivenUp) cancelled.abort();
        if (closed) return closed;
        if (leaving.size > 0 && waiting.has(lane)) return { holder: 'agent', reason: 'the agent restarts' };
        if (waiting.delete(lane)) endWait(false);
        return undefined;
      },
      async onWait() {
        waiting.add(lane);
        // The order waits also while the disk is full. After a restart it resumes at the step before.
        await own.journal
          .write({ ...record, step, attempt: 0 })
          .catch((error: unknown) => tell(`the wait of an order cannot be stored: ${String(error)}`));
        Object.assign(record, { step, attempt: 0 });
        tell(`order ${id} of lane ${lane} waits for a gate`);
      },
      report: (progress) => send({ type: 'report', ...record.report, progress }),
    });
    waiting.delete(lane);
    stopping.signal.throwIfAborted();
  }

  async function othersEnded(lane: string): Promise<void> {
    leaving.add(lane);
    const others = () =>
      [...running].filter(([each]) => !leaving.has(each) && !waiting.has(each)).map(([, { done }]) => done);
    while (others().length > 0) await Promise.race([...others(), pause(leaveCheckMs)]);
  }

  async function end(own: OpenedJournal, record: OrderRecord, outcome: Outcome): Promise<void> {
    const order = withoutPayload(record.order);
    const { status, reason, message } = outcome;
    const report = { ...endOf(order, outcome), ...(record.steps && { steps: record.steps }) };
    const change = { order, step: 'ended' as const, isAcknowledged: false, report, steps: undefined };
    tell(
      [`order ${order.order_id} of lane ${order.lane}: ${status}`, ...[reason ?? [], message ?? []].flat()].join(', '),
      status === 'failed' || status === 'rolled_back' ? 'error' : undefined,
    );
    await own.reports.keepEnd(record, { ...record, ...change });
    Object.assign(record, change);
    own.reports.send(record);
    await own.reports.tidy();
  }

  return {
    get isOpen() {
      return open !== undefined;
    },
    get desiredHash() {
      return desiredHash;
    },
    async open() {
      try {
        const journal = await openJournal(folder);
        open = { journal, reports: orderReports(journal, settings) };
      } catch (error) {
        tell(`orders are not accepted: ${error instanceof Error ? error.message : String(error)}`);
        return;
      }
      await open.reports.tidy();
      begin(open);
    },
    holding: () => open?.reports.holding() ?? [],
    linkUp: () => open?.reports.linkUp(),
    desired({ hash, items }) {
      if (!open) return;
      const own = open;
      desiredHash = hash;
      wanted = items;
      for (const order of items) {
        const known = own.journal.records.get(order.order_id);
        const current = running.get(order.lane);
        // The service still lists the order: the report was lost or is in flight.
        if (known?.step === 'ended') own.reports.send(known);
        else if (known) {
          if (order.cancel && current?.id === order.order_id) current.cancel.abort();
        } else if (own.journal.isDamaged(order.order_id)) {
          const message = 'the stored state of the order cannot be read';
          void endUnbegun(own, order, { status: 'failed', reason: 'interrupted', message });
        } else if (order.cancel) void endUnbegun(own, order, { status: 'cancelled' });
      }
      begin(own);
    },
    acknowledged: (ack) => open?.reports.acknowledged(ack),
    lanes: () => new Set(records().map(({ order }) => order.lane)),
    restOf(lane) {
      const known = records().filter(({ order }) => order.lane === lane);
      if (!open || running.has(lane) || known.some(({ step, isAcknowledged }) => step !== 'ended' || !isAcknowledged))
        return undefined;
      return known.toSorted((one, other) => bySequence(one.order, other.order)).at(-1)?.order.order_id ?? '';
    },
    async stop() {
      open?.reports.stop();
      // A waiting step throws this reason. With any other error, the order would fail.
      stopping.abort(new Stopped());
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };

  function endUnbegun(own: OpenedJournal, order: Order, outcome: Outcome): Promise<void> {
    const record = newOrderRecord(order);
    own.journal.records.set(order.order_id, record);
    // Set before the write, so that the order does not begin meanwhile.
    record.step = 'ended';
    return end(own, record, outcome);
  }
}

/** An order that begins to wait for a gate ends nothing that could be awaited. */
const leaveCheckMs = 1_000;
const isRestart = (step: Step) => step === 'restart' || step === 'rollback_restart';

const bySequence = (one: Order, other: Order) => one.sequence - other.sequence;
