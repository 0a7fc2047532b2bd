import { join } from 'node:path';
import { checkReplaceable, readToml, removeFile, TomlFileError, writeToml } from './toml-file.ts';

/** This machine's robot, as stored in `agent.toml`. */
export interface Identity {
  backendUrl: string;
  robotId: string;
  robotToken: string;
  robotName: string;
  orgId: string;
  siteId: string;
  fleetId: string;
}

const keys = {
  backendUrl: 'backend_url',
  robotId: 'robot_id',
  robotToken: 'robot_token',
  robotName: 'robot_name',
  orgId: 'org_id',
  siteId: 'site_id',
  fleetId: 'fleet_id',
} as const satisfies Record<keyof Identity, string>;

const howToGoOn = (agent: string) =>
  `Correct it, or enroll again: ${agent} run --fresh --enrollment-key <key>   To delete the identity: ${agent} forget`;

const sayHowToGoOn =
  (hint: string) =>
  (error: unknown): never => {
    if (!(error instanceof TomlFileError)) throw error;
    throw new TomlFileError(error.message, { cause: error, hint });
  };

export const identityPath = (configDirectory: string) => join(configDirectory, 'agent.toml');

/**
 * Undefined if this machine never enrolled. Throws TomlFileError if the file is unreadable or lacks a key. `agent` is
 * the agent's command in the hints.
 */
export async function readIdentity(configDirectory: string, agent: string): Promise<Identity | undefined> {
  const path = identityPath(configDirectory);
  const table = await readToml(path).catch(sayHowToGoOn(howToGoOn(agent)));
  if (!table) return undefined;
  const text = (key: string) => {
    const value = table[key];
    if (typeof value !== 'string' || value === '')
      throw new TomlFileError(`${path} has no ${key}`, { hint: howToGoOn(agent) });
    return value;
  };
  return {
    backendUrl: text(keys.backendUrl),
    robotId: text(keys.robotId),
    robotToken: text(keys.robotToken),
    robotName: text(keys.robotName),
    orgId: text(keys.orgId),
    siteId: text(keys.siteId),
    fleetId: text(keys.fleetId),
  };
}

/** Throws TomlFileError if a new identity could not replace the stored or damaged one. */
export const checkIdentityReplaceable = (configDirectory: string, agent: string) =>
  checkReplaceable(identityPath(configDirectory)).catch(
    sayHowToGoOn(`Nothing was sent. Make it yours to read and write, or delete it: ${agent} forget`),
  );

/** Replaces the stored identity, even a damaged one: only a requested enrollment calls this. */
export async function writeIdentity(configDirectory: string, identity: Identity): Promise<void> {
  const table = Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [key, identity[name as keyof Identity]] as const),
  );
  await writeToml(identityPath(configDirectory), table, { replacesDamaged: true });
}

/** Replaces this robot's token. Throws TomlFileError, also if the file has another robot's token by now. */
export async function replaceRobotToken(
  configDirectory: string,
  agent: string,
  { present, next }: { present: string; next: string },
): Promise<void> {
  const known = await readIdentity(configDirectory, agent);
  if (known?.robotToken !== present)
    throw new TomlFileError(`${identityPath(configDirectory)} has another token by now`);
  await writeIdentity(configDirectory, { ...known, robotToken: next });
}

/** Remains if only the keys are lost; a robot that enrolls again keeps it. */
const requirement = { signatures: 'required' };

/** Whether signed orders were ever required. False if the file cannot be read: there is no robot then. */
export async function identityRequiresSignatures(configDirectory: string): Promise<boolean> {
  const table = await readToml(identityPath(configDirectory)).catch(() => undefined);
  return table?.['signatures'] === requirement.signatures;
}

/** Throws TomlFileError. */
export async function requireSignatures(configDirectory: string): Promise<void> {
  if (!(await identityRequiresSignatures(configDirectory))) await writeToml(identityPath(configDirectory), requirement);
}

/** True if this machine had an identity. */
export const removeIdentity = (configDirectory: string) => removeFile(identityPath(configDirectory));
