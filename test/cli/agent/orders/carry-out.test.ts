import { expect, test } from 'vitest';
import { carryOut } from '../../../../cli/agent/orders/carry-out.ts';
import { StepFailed, Stopped, type Handler, type Outcome } from '../../../../cli/agent/orders/handler.ts';
import type { OrderRecord } from '../../../../cli/agent/orders/journal.ts';
import { releaseOrder } from '../../../support/orders.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** A robot on which one order is carried out, through as many lives of its agent as that takes. */
function robot(handler: (steps: string[]) => Partial<Handler>, untilOpen: () => Promise<void> = async () => undefined) {
  const steps: string[] = [];
  const order = { ...releaseOrder('file', 'v1'), traceparent };
  /** What is on disk. */
  let kept: OrderRecord = {
    order,
    step: 'download',
    attempt: 0,
    report: { order_id: order.order_id, status: 'downloading' },
    isAcknowledged: false,
    notes: {},
  };
  let latest = kept;
  const made: Handler = {
    activate: async () => void steps.push('activate'),
    verify: async () => 'proof',
    commit: async () => void steps.push('commit'),
    rollback: async () => void steps.push('rollback'),
    ...handler(steps),
  };
  return {
    steps,
    get step() {
      return kept.step;
    },
    /** The steps that were measured, by the latest life of its agent. */
    get measured() {
      return latest.steps?.map(({ step }) => step);
    },
    /** From what is on disk to the end of the order, or of the agent: then undefined. */
    live(): Promise<Outcome | undefined> {
      const record = structuredClone(kept);
      latest = record;
      return carryOut({
        record,
        async enter(step, failure) {
          Object.assign(record, { step, attempt: record.step === step ? record.attempt + 1 : 1, failure });
          kept = structuredClone(record);
        },
        handler: async () => made,
        untilOpen,
        cancelled: new AbortController().signal,
        stopping: new AbortController().signal,
      });
    },
  };
}

const ends = (steps: string[]) => ({
  needsRestart: () => true,
  restart() {
    steps.push('restart');
    return Promise.reject(new Stopped());
  },
});

test('an order that takes effect with a new boot is verified after it, and activated once', async () => {
  let boots = 0;
  const amr = robot((steps) => ({ ...ends(steps), hasRestarted: async () => boots > 0 }));
  expect(await amr.live()).toBeUndefined();
  expect(amr.step).toBe('restart');
  // The agent was ended, and the machine was not.
  expect(await amr.live()).toBeUndefined();
  boots += 1;
  expect(await amr.live()).toEqual({ status: 'applied', digest: 'proof' });
  expect(amr.steps).toEqual(['activate', 'restart', 'restart', 'commit']);
});

test('a crash between what takes effect and the restart begins that again', async () => {
  let crashes = 1;
  const amr = robot((steps) => ({
    ...ends(steps),
    async activate() {
      steps.push('activate');
      if (crashes-- > 0) throw new Stopped();
    },
    hasRestarted: async () => true,
  }));
  expect(await amr.live()).toBeUndefined();
  expect(amr.step).toBe('activate');
  expect(await amr.live()).toBeUndefined();
  expect(await amr.live()).toMatchObject({ status: 'applied' });
  expect(amr.steps).toEqual(['activate', 'activate', 'restart', 'commit']);
});

test.each([
  ['nothing ends the agent', { restart: async () => undefined }, 'restart_failed'],
  [
    'the restart can never come about',
    { hasRestarted: () => Promise.reject(new StepFailed('verify_failed', 'it did not come up')) },
    'verify_failed',
  ],
  ['it comes again and again without effect', { hasRestarted: async () => false }, 'interrupted'],
])('an order goes back when %s', async (_what, part, reason) => {
  let restarts = 0;
  const amr = robot((steps) => ({
    ...ends(steps),
    needsRestart: () => !steps.includes('rollback'),
    ...part,
  }));
  let outcome: Outcome | undefined;
  while (outcome === undefined && restarts < 9) {
    outcome = await amr.live();
    restarts += 1;
  }
  expect(outcome).toMatchObject({ status: 'rolled_back', reason });
  expect(amr.steps.at(-1)).toBe('rollback');
  expect(amr.steps.filter((step) => step === 'activate')).toHaveLength(1);
});

test('a way back that needs a restart is over after it, with the failure that it was for', async () => {
  let lives = 0;
  const amr = robot((steps) => ({
    ...ends(steps),
    hasRestarted: async () => lives > 1,
    verify: () => Promise.reject(new StepFailed('verify_failed', 'the new one does not answer')),
  }));
  expect(await amr.live()).toBeUndefined();
  lives = 2;
  expect(await amr.live()).toBeUndefined();
  expect(amr.step).toBe('rollback_restart');
  expect(await amr.live()).toEqual({
    status: 'rolled_back',
    reason: 'verify_failed',
    message: 'the new one does not answer',
  });
  expect(amr.steps).toEqual(['activate', 'restart', 'rollback', 'restart']);
  expect(amr.measured?.slice(-2)).toEqual(['rollback', 'rollback_restart']);
});

test.each([
  { cuts: 9, status: 'rolled_back', reason: 'verify_failed' },
  { cuts: 10, status: 'failed', reason: 'rollback_failed' },
])('a way back that is cut $cuts times ends as $status', async ({ cuts, ...end }) => {
  let cut = 0;
  const amr = robot((steps) => ({
    verify: () => Promise.reject(new StepFailed('verify_failed', 'it does not come up')),
    async rollback() {
      if ((cut += 1) <= cuts) throw new Stopped();
      steps.push('rollback');
    },
  }));
  for (let life = 0; life < cuts; life += 1) expect(await amr.live()).toBeUndefined();
  expect(await amr.live()).toMatchObject(end);
  expect(amr.steps).toEqual(['activate', ...(end.status === 'rolled_back' ? ['rollback'] : [])]);
});

test('an error of a wait ends the order, and not the agent', async () => {
  const broken = () => Promise.reject(new Error('the wait is broken'));
  const end = { status: 'failed', reason: 'install_failed', message: 'the wait is broken' };
  expect(await robot(() => ({}), broken).live()).toEqual(end);
});
