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
  /** Robots that are enrolled already; those that enroll now are added. */
  robots: Map<number, SimulatedRobot>;
  /** So many robots, numbered from 0, are wanted. */
  count: number;
  nameOf(index: number): string;
  /** Ends it early, with those that have enrolled by then. */
  signal: AbortSignal;
  progress(enrolled: number): void;
  /** A try failed and is made again. */
  waits(error: Error): void;
}

/** Enrollments under way at a time. */
const atOnce = 8;
/** Tokens are kept after so many, so that a run that dies has not to enroll them all again. */
const keptEach = 1_000;
/** Failures of one robot in a row after which the enrollment is given up; being asked to slow down is none. */
const maxFailures = 5;

/**
 * Enrolls the robots that are missing and saves them. A service that asks to slow down is obeyed. Throws what cannot pass: EnrollmentRefused for a
 * key that is not good or used up, NetworkError for a service that stays away; robots that enrolled before are kept.
 */
export async function bulkEnroll(enrollment: BulkEnrollment): Promise<void> {
  const { simulationId, robots, count, signal, stateDirectory } = enrollment;
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !robots.has(index));
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

/** Undefined if the signal came first. */
async function enrollOne(enrollment: BulkEnrollment, index: number): Promise<SimulatedRobot | undefined> {
  const { simulationId, nameOf, signal } = enrollment;
  const nonce = simulatedNonce(simulationId, index);
  const waits = backoffMs();
  for (let failures = 0; !signal.aborted;) {
    try {
      const { robotId, robotToken } = await requestIdentity({ ...enrollment, name: nameOf(index) }, nonce);
      return { robotId, robotToken };
    } catch (error) {
      if (!mayPass(error)) throw error;
      const isBusy = error instanceof EnrollmentRefused && error.status === 429;
      if (!isBusy) failures += 1;
      if (failures >= maxFailures) throw error;
      if (!isBusy) enrollment.waits(error);
      const asked = error instanceof EnrollmentRefused ? error.retryAfterMs : undefined;
      await pause(asked ?? waits.next().value, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

const mayPass = (error: unknown): error is NetworkError | EnrollmentRefused =>
  error instanceof NetworkError ||
  (error instanceof EnrollmentRefused && (error.status === 429 || error.status >= 500));
