import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readToml, TomlFileError, writeToml } from './toml-file.ts';

/** A robot that only a simulation plays. */
export interface SimulatedRobot {
  robotId: string;
  robotToken: string;
}

/** What identifies a set of simulated robots; another value of any of these is another set, with a file of its own. */
export interface SimulationId {
  backendUrl: string;
  enrollmentKey: string;
  seed: string;
}

const fileOf = (stateDirectory: string, { backendUrl, enrollmentKey, seed }: SimulationId) =>
  join(stateDirectory, `simulated-${digestOf(backendUrl, enrollmentKey, seed).slice(0, 16)}.toml`);

export const simulationLockPath = (stateDirectory: string, simulationId: SimulationId) =>
  `${fileOf(stateDirectory, simulationId)}.lock`;

/** Sent with the enrollment of the robot of this number: the same simulation gives the same, so that a lost file costs no further use of the key. */
export const simulatedNonce = ({ seed }: SimulationId, index: number) =>
  digestOf('simulated robot', seed, String(index)).slice(0, 32);

/** By their numbers; empty if there is none yet. Throws TomlFileError. */
export async function readSimulatedRobots(
  stateDirectory: string,
  simulationId: SimulationId,
): Promise<Map<number, SimulatedRobot>> {
  const path = fileOf(stateDirectory, simulationId);
  const robots = new Map<number, SimulatedRobot>();
  for (const [key, value] of Object.entries((await readToml(path)) ?? {})) {
    const [, index] = /^robot_(\d{1,9})$/.exec(key) ?? [];
    const [, robotId, robotToken] = (typeof value === 'string' && /^(\S+) (\S+)$/.exec(value)) || [];
    if (index === undefined || robotId === undefined || robotToken === undefined)
      throw new TomlFileError(`${path} has a line that is no simulated robot: ${key}`, { hint: 'Delete the file.' });
    robots.set(Number(index), { robotId, robotToken });
  }
  return robots;
}

/** Writes these into the file beside those that it has; an undefined one is taken out. Throws TomlFileError. */
export async function saveSimulatedRobots(
  stateDirectory: string,
  simulationId: SimulationId,
  robots: ReadonlyMap<number, SimulatedRobot | undefined>,
): Promise<void> {
  await writeToml(
    fileOf(stateDirectory, simulationId),
    Object.fromEntries(
      [...robots].map(([index, robot]) => [`robot_${index}`, robot && `${robot.robotId} ${robot.robotToken}`]),
    ),
  );
}

const digestOf = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
