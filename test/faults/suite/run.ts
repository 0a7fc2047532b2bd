import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom, type Random } from '../../support/random.ts';
import { until, within } from '../../support/until.ts';
import { startCallers } from './callers.ts';
import { check, type Violation } from './checker.ts';
import { usualRevokedSeconds, type Fault } from './fault.ts';
import { figuresOf, type Figures } from './figures.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { emptyHistory, type History } from './history.ts';
import { startService, type FaultService } from './service.ts';
import { openDeployments, readState } from './state.ts';
import { startStreams } from './streams.ts';
import { startWitnesses } from './witnesses.ts';

export interface RunSize {
  seed: number;
  /** Simulated robots. */
  robots: number;
  /** Live streams; one of them is a shell. */
  streams: number;
  /** Times of faults are multiplied by it: 1 for the whole. */
  pace: number;
}

export interface FaultResult {
  fault: Fault;
  figures: Figures;
  violations: Violation[];
  /** The history, for a look at a violation. */
  history: History;
}

/** Undisturbed load before the fault, and after it. */
const calmSeconds = 3;
/** Longest time until all orders have ended after a fault. */
const endsWithinMs = 120_000;
/** Longest time for which a linked robot may be shown as offline. */
const offlineMs = 5_000;

/** Inflicts faults one after the other; those that share a service in a row. Hands each result over as soon as it exists. */
export async function runFaults(
  faults: readonly Fault[],
  size: RunSize,
  onResult: (result: FaultResult) => Promise<void> | void,
): Promise<void> {
  const random = randomFrom(size.seed);
  const rest = [...faults];
  for (let first = rest[0]; first; first = rest[0]) {
    const options = first.service;
    await using service = await startService(options);
    await using fleet = await startFleet(service, size.robots, size.seed);
    for (const fault of faults.filter((each) => each.service === options)) {
      rest.splice(rest.indexOf(fault), 1);
      await onResult(await runFault(fault, service, fleet, size, random));
    }
  }
}

async function runFault(
  fault: Fault,
  service: FaultService,
  fleet: Fleet,
  { streams: readers, pace }: RunSize,
  random: Random,
): Promise<FaultResult> {
  const history = emptyHistory();
  const since = new Date();
  const wait = (seconds: number) => sleep(seconds * 1_000 * pace);
  const streams = await startStreams(service, fleet, history, random, readers);
  const witnesses = await startWitnesses(service, fleet, history);
  const callers = startCallers(service, fleet, history, random);
  let sinceMs: number;
  try {
    await wait(calmSeconds);
    await fleet.order(history);
    sinceMs = performance.now();
    await fault.inflict({ service, random, wait });
    await wait(calmSeconds);
  } finally {
    await callers.stop();
  }
  await streams.rest();
  await within(
    until(async () => (await openDeployments(service.db)) === 0),
    endsWithinMs,
    () => 'a deployment does not end',
  ).catch(() => undefined); // the checker finds it
  await witnesses.stop();
  await streams[Symbol.asyncDispose]();
  const state = await readState(service, fleet, history, since);
  const revokedMs = (fault.limits.revokedSeconds ?? usualRevokedSeconds) * 1_000;
  return {
    fault,
    history,
    figures: figuresOf(history, sinceMs),
    violations: check(history, state, { offlineMs, revokedMs }),
  };
}
