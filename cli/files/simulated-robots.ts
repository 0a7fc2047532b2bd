import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readToml, TomlFileError, writeToml } from './toml-file.ts';

/** A robot that only a simulation plays. */
export interface SimulatedRobot {
  robotId: string;
  robotToken: string;
}

/** One crowd of simulated robots; another in any of these is another crowd, with a file of its own. */
export interface Crowd {
  backendUrl: string;
  enrollmentKey: string;
  seed: string;
}

const fileOf = (stateDirectory: string, { backendUrl, enrollmentKey, seed }: Crowd) =>
  join(stateDirectory, `simulated-${digestOf(backendUrl, enrollmentKey, seed).slice(0, 16)}.toml`);

export const crowdLockPath = (stateDirectory: string, crowd: Crowd) => `${fileOf(stateDirectory, crowd)}.lock`;

/** Sent with the enrollment of the robot of this number: the same crowd gives the same, so that its file may be lost and no use of the key is. */
export const simulatedNonce = ({ seed }: Crowd, index: number) =>
  digestOf('simulated robot', seed, String(index)).slice(0, 32);

/** By their numbers in the crowd; empty if there is none yet. Throws TomlFileError. */
export async function readCrowd(stateDirectory: string, crowd: Crowd): Promise<Map<number, SimulatedRobot>> {
  const path = fileOf(stateDirectory, crowd);
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
export async function keepInCrowd(
  stateDirectory: string,
  crowd: Crowd,
  robots: ReadonlyMap<number, SimulatedRobot | undefined>,
): Promise<void> {
  await writeToml(
    fileOf(stateDirectory, crowd),
    Object.fromEntries(
      [...robots].map(([index, robot]) => [`robot_${index}`, robot && `${robot.robotId} ${robot.robotToken}`]),
    ),
  );
}

const digestOf = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
