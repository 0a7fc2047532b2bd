import { setTimeout as pause } from 'node:timers/promises';
import {
  saveSimulatedRobots,
  simulatedNonce,
  type SimulationId,
  type SimulatedRobot,
} from '../../files/simulated-robots.ts';
import { backoffMs } from '../../transport/backoff.ts';
import { EnrollmentRefused, requestIdentity, type IdentityRequest } from '../enroll.ts';
import { NetworkError } from '../../transport/http.ts';

interface BulkEnrollment extends IdentityRequest {
  simulationId: SimulationId;
  stateDirectory: string;
  /** Robots that are already enrolled; new ones are added. */
  robots: Map<number, SimulatedRobot>;
  /** The robots wanted. */
  indexes: readonly number[];
  nameOf(index: number): string;
  /** Ends the enrollment early; the robots enrolled by then are kept. */
  signal: AbortSignal;
  progress(enrolled: number): void;
  /** An attempt failed and will be retried. */
  waits(error: Error): void;
}

/** Concurrent enrollments. */
const atOnce = 8;
/** Tokens are saved after this many, so that a run that crashes does not enroll all robots again. */
const keptEach = 1_000;
/** Consecutive failures of one robot after which the enrollment stops; 429 does not count. */
const maxFailures = 5;

/**
 * Enrolls the missing robots and saves them. It waits as long as the service asks for. @throws EnrollmentRefused for an
 * invalid or used-up key, NetworkError for a service that stays unreachable; robots enrolled before are kept
 */
export async function bulkEnroll(enrollment: BulkEnrollment): Promise<void> {
  const { simulationId, robots, indexes, signal, stateDirectory } = enrollment;
  const missing = indexes.filter((index) => !robots.has(index));
  let unkept = new Map<number, SimulatedRobot>();
  let keeping = Promise.resolve();
  const keep = () => {
    const part = unkept;
    unkept = new Map();
    keeping = keeping.then(() => saveSimulatedRobots(stateDirectory, simulationId, part));
    return keeping;
  };
  const failures: Error[] = [];
  const work = async () => {
    for (
      let index = missing.shift();
      index !== undefined && !signal.aborted && failures.length === 0;
      index = missing.shift()
    ) {
      const robot = await enrollOne(enrollment, index).catch((error: unknown) => void failures.push(error as Error));
      if (!robot) return;
      robots.set(index, robot);
      unkept.set(index, robot);
      enrollment.progress(robots.size);
      if (unkept.size >= keptEach) await keep();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (unkept.size > 0) await keep();
  await keeping;
  if (failures[0]) throw failures[0];
}

/** Undefined if the signal aborted it. */
async function enrollOne(enrollment: BulkEnrollment, index: number): Promise<SimulatedRobot | undefined> {
  const { simulationId, nameOf, signal } = enrollment;
  const nonce = simulatedNonce(simulationId, index);
  const waits = backoffMs();
  for (let failures = 0; !signal.aborted;) {
    try {
      const { robotId, robotToken } = await requestIdentity({ ...enrollment, name: nameOf(index) }, nonce);
      return { robotId, robotToken };
    } catch (error) {
      if (!isTransient(error)) throw error;
      const isBusy = error instanceof EnrollmentRefused && error.status === 429;
      if (!isBusy) failures += 1;
      if (failures >= maxFailures) throw error;
      if (!isBusy) enrollment.waits(error);
      const minWaitMs = error instanceof EnrollmentRefused ? error.minWaitMs : 0;
      await pause(minWaitMs || waits.next().value, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

const isTransient = (error: unknown): error is NetworkError | EnrollmentRefused =>
  error instanceof NetworkError || (error instanceof EnrollmentRefused && !error.isFinal);
