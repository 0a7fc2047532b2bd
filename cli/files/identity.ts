import { join } from 'node:path';
import { readToml, removeFile, TomlFileError, writeToml } from './toml-file.ts';

/** The robot this machine is, as `agent.toml` keeps it. */
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

export const identityPath = (configDirectory: string) => join(configDirectory, 'agent.toml');

/** Undefined if this machine never enrolled. Throws TomlFileError if the file is there and lacks a key. */
export async function readIdentity(configDirectory: string): Promise<Identity | undefined> {
  const path = identityPath(configDirectory);
  const table = await readToml(path);
  if (!table) return undefined;
  const text = (key: string) => {
    const value = table[key];
    if (typeof value !== 'string' || value === '')
      throw new TomlFileError(`${path} has no ${key}; delete it and enroll again`);
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

export async function writeIdentity(configDirectory: string, identity: Identity): Promise<void> {
  const table = Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [key, identity[name as keyof Identity]] as const),
  );
  await writeToml(identityPath(configDirectory), table);
}

/** True if this machine had an identity. */
export const removeIdentity = (configDirectory: string) => removeFile(identityPath(configDirectory));
