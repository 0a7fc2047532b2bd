import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readToml, TomlFileError, writeToml } from './toml-file.ts';

/** A robot that exists only in a simulation. */
export interface SimulatedRobot {
  robotId: string;
  robotToken: string;
}

/**
 * Identifies a set of simulated robots; another value in any field is another set, with its own file. The enrollment key
 * is not part of it: keys expire, and a repeated command with a new key must not enroll the robots twice.
 */
export interface SimulationId {
  backendUrl: string;
  seed: string;
}

const fileOf = (stateDirectory: string, { backendUrl, seed }: SimulationId) =>
  join(stateDirectory, `simulated-${digestOf(backendUrl, seed).slice(0, 16)}.toml`);

export const simulationLockPath = (stateDirectory: string, simulationId: SimulationId) =>
  `${fileOf(stateDirectory, simulationId)}.lock`;

/**
 * Sent with the enrollment of the robot with this number. The same simulation generates the same nonce, so a lost file
 * costs no second use of the same key.
 */
export const simulatedNonce = ({ seed }: SimulationId, index: number) =>
  digestOf('simulated robot', seed, String(index)).slice(0, 32);

/** By number; empty if there are none yet. Throws TomlFileError. */
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
      throw new TomlFileError(`${path} has an invalid line: ${key}`, { hint: 'Delete the file.' });
    robots.set(Number(index), { robotId, robotToken });
  }
  return robots;
}

/** Adds these to the file, or replaces them; undefined removes a robot. Throws TomlFileError. */
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

/** Forgets the set and its file, if there is one. */
export const removeSimulatedRobots = (stateDirectory: string, simulationId: SimulationId): Promise<void> =>
  rm(fileOf(stateDirectory, simulationId), { force: true });

const digestOf = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
