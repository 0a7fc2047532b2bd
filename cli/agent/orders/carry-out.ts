import { isDiskFull } from './durable.ts';
import { forwardSteps, StepFailed, Stopped, type Failure, type Handler, type Outcome, type Step } from './handler.ts';
import type { OrderRecord } from './journal.ts';
import { timed } from './step-times.ts';

/** One order in progress. */
interface Journey {
  record: OrderRecord;
  /** Journals that the step begins, and reports to the service if the status changes. Rejects on a disk error. */
  enter(step: Step, failure?: Failure): Promise<void>;
  /** Created on first use. Throws StepFailed for an order that cannot be handled. */
  handler(): Promise<Handler>;
  /** Waits until the step may disturb the robot, or until the order is cancelled. Throws Stopped if the agent exits. */
  untilOpen(step: 'install' | 'activate'): Promise<void>;
  cancelled: AbortSignal;
  stopping: AbortSignal;
}

/**
 * A step interrupted this often counts as the cause of the interruptions. Before anything takes effect, retries cost
 * little. During a rollback, giving up would leave the robot between two states.
 */
const maxAttempts = (step: OrderRecord['step']) => (isBeforeActivation(step) || step === 'rollback' ? 10 : 3);

/**
 * Carries out an order from its current step to its end. Undefined if the agent exits before: the order then resumes on
 * the next start. Never rejects.
 *
 * States: download → install → activate (→ restart) → verify → commit → applied. Before install and activate, it may wait
 * for gates of the robot. Cancelled or failed before activate: nothing took effect. Failed later: rollback (→ rollback_restart) → rolled_back, or failed if the handler has no
 * rollback or the rollback fails too.
 */
export async function carryOut(journey: Journey): Promise<Outcome | undefined> {
  const { record, cancelled, stopping } = journey;
  if (record.step === 'rollback' || record.step === 'rollback_restart')
    return goBack(journey, record.failure ?? unknownFailure);
  const at = forwardSteps.indexOf(record.step as (typeof forwardSteps)[number]);
  // Written by a newer agent, which is no longer in use.
  if (at === -1) return goBack(journey, { reason: 'interrupted', message: `unknown step ${record.step}` });
  for (const step of forwardSteps.slice(at)) {
    if (stopping.aborted) return undefined;
    if (step === 'restart' && !record.needsRestart) continue;
    const hasBegun = step === record.step && record.attempt > 0;
    const mayCancel = isBeforeActivation(step) || (step === 'activate' && !hasBegun);
    try {
      if (disturbs(step) && !hasBegun) await journey.untilOpen(step);
      if (mayCancel && cancelled.aborted) return { status: 'cancelled' };
      await attempt(journey, step);
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      if (isBeforeActivation(step) && cancelled.aborted) return { status: 'cancelled' };
      const failure = failureOf(error, step);
      return isBeforeActivation(step) ? { status: 'failed', ...failure } : goBack(journey, failure);
    }
  }
  return { status: 'applied', digest: record.digest ?? '' };
}

const unknownFailure: Failure = { reason: 'interrupted', message: 'the agent ended during the rollback' };
/** Whether nothing has taken effect at this step. */
export const isBeforeActivation = (step: OrderRecord['step']) => step === 'download' || step === 'install';

const disturbs = (step: Step): step is 'install' | 'activate' => step === 'install' || step === 'activate';

async function attempt(journey: Journey, step: (typeof forwardSteps)[number]): Promise<void> {
  const { record } = journey;
  const isResumed = step === record.step && record.attempt > 0;
  if (isResumed && record.attempt >= maxAttempts(step)) {
    // A handler that knows why the step was interrupted throws here.
    await (await journey.handler()).resume?.(step);
    throw new StepFailed('interrupted', `the agent ended ${record.attempt} times in the step ${step}`);
  }
  await journey.enter(step);
  await timed(record, step, async () => {
    const handler = await journey.handler();
    if (isResumed) await handler.resume?.(step);
    if (step === 'restart') return restart(handler, isResumed);
    if (step === 'verify') record.digest = await handler.verify();
    else await handler[step]?.();
    if (step === 'activate') record.needsRestart = handler.needsRestart?.() ?? false;
  });
}

/** Returns only in the process that this restart began. In the current process it throws Stopped, or has failed. */
async function restart(handler: Handler, isResumed: boolean): Promise<void> {
  if (isResumed && (await handler.hasRestarted?.())) return;
  await handler.restart?.();
  throw new StepFailed('restart_failed', 'what should have ended the agent did not');
}

/** Undefined if the agent exits before the end. */
async function goBack(journey: Journey, failure: Failure): Promise<Outcome | undefined> {
  const { record } = journey;
  const failed = (why: string): Outcome => ({
    status: 'failed',
    reason: 'rollback_failed',
    message: `${failure.message}; the rollback failed: ${why}`,
  });
  const step = record.step === 'rollback_restart' ? 'rollback_restart' : 'rollback';
  const attempts = record.step === step ? record.attempt : 0;
  if (attempts >= maxAttempts(step)) return failed(`the agent ended ${attempts} times during the rollback`);
  try {
    const handler = await journey.handler();
    if (!handler.rollback) return { status: 'failed', ...failure };
    if (step === 'rollback') {
      // A disk that rejects the journal write may still allow the rollback.
      await journey.enter('rollback', failure).catch(() => undefined);
      await timed(record, step, async () => handler.rollback?.(failure));
      if (!handler.needsRestart?.()) return { status: 'rolled_back', ...failure };
    }
    await journey.enter('rollback_restart', failure);
    await timed(record, 'rollback_restart', () => restart(handler, attempts > 0 && step === 'rollback_restart'));
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    return failed(failureOf(error, 'rollback').message);
  }
  return { status: 'rolled_back', ...failure };
}

function failureOf(error: unknown, step: Step): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StepFailed) return { reason: error.reason, message };
  return { reason: isDiskFull(error) ? 'no_space' : `${step}_failed`, message };
}
