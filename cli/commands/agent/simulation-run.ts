import { EnrollmentRefused, type IdentityRequest } from '../../agent/enroll.ts';
import { bulkEnroll } from '../../agent/simulate/bulk-enroll.ts';
import { networkFailure } from '../../api/api-errors.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';
import type { Io } from '../../command-line/io.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { readSimulatedRobots, type SimulatedRobot, type SimulationId } from '../../files/simulated-robots.ts';
import { safeText } from '../../output/safe.ts';
import { enrollmentRefused } from './agent.ts';

/** The end of a simulation. */
export interface Ending {
  signal: AbortSignal;
  reached: Promise<void>;
  end(): void;
}

/** Ends at the first SIGINT or SIGTERM; a second signal ends the process at once. */
export function endingOf(): Ending {
  const controller = new AbortController();
  const reached = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
  const end = () => {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
    process.once('SIGINT', endOnInterrupt);
    controller.abort();
  };
  process.off('SIGINT', endOnInterrupt);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return { signal: controller.signal, reached, end };
}

/** A fault usually affects thousands of robots. Each text is written once, at most this many texts. */
const maxFaults = 20;

export function oncePerText(io: Io): (text: string) => void {
  const written = new Set<string>();
  return (text) => {
    if (written.has(text) || written.size >= maxFaults) return;
    written.add(text);
    io.note(`${io.err.tty ? '\r\u001b[K' : ''}${safeText(text)}`);
  };
}

/** A status line: rewritten in place on a terminal, else a line of its own. */
export const writeStatus = ({ err }: Io, line: string) => err.write(err.tty ? `\r${line}\u001b[K` : `${line}\n`);

interface Wanted {
  indexes: readonly number[];
  nameOf(index: number): string;
  baseUrlFrom: string;
  signal: AbortSignal;
}

/**
 * The simulated robots of these indexes; the missing ones are enrolled and saved. Throws CliError; robots enrolled by
 * then are kept.
 */
export async function enrolledRobots(
  { environment: { stateDirectory }, io }: Invocation,
  simulationId: SimulationId,
  request: IdentityRequest,
  { indexes, nameOf, baseUrlFrom, signal }: Wanted,
): Promise<ReadonlyMap<number, SimulatedRobot>> {
  const robots = await readSimulatedRobots(stateDirectory, simulationId);
  const numberOf = () => indexes.filter((index) => robots.has(index)).length;
  const known = numberOf();
  let lastMs = performance.now();
  const noteFault = oncePerText(io);
  try {
    await bulkEnroll({
      ...request,
      simulationId,
      stateDirectory,
      robots,
      indexes,
      nameOf,
      signal,
      waits: (error) => noteFault(`Not enrolled yet: ${error.message}. Retrying`),
      progress() {
        if (performance.now() - lastMs < 1000) return;
        lastMs = performance.now();
        writeStatus(io, `Enrolled ${numberOf()} of ${indexes.length}`);
      },
    });
  } catch (error) {
    if (numberOf() > known) io.note(`${numberOf()} of ${indexes.length} robots are enrolled and kept.`);
    throw error instanceof EnrollmentRefused
      ? enrollmentRefused(error, request.backendUrl, baseUrlFrom)
      : networkFailure(error, new URL(request.backendUrl), baseUrlFrom);
  }
  const enrolled = numberOf() - known;
  if (known === indexes.length) io.note('These robots are already enrolled. The enrollment key is not used.');
  if (enrolled > 0) io.note(`${io.err.tty ? '\r\u001b[K' : ''}Enrolled ${enrolled} robots.`);
  return new Map(
    indexes.flatMap((index) => {
      const robot = robots.get(index);
      return robot ? [[index, robot]] : [];
    }),
  );
}
