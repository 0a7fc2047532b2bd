import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AgentSettings } from './settings.ts';

/** By what the service tells this run of the agent from others of the same robot. */
export interface RunIdentity {
  /** Name and version. */
  agentVersion: string;
  /** Of this boot of the machine; undefined where nothing says which one it is. */
  boot: string | undefined;
  /** The same; where it is undefined, each run counts as a boot. */
  bootId: string;
  /** Of this run. */
  instance: string;
}

export async function runIdentity({
  version,
  bootId,
}: Pick<AgentSettings, 'version' | 'bootId'>): Promise<RunIdentity> {
  const boot = bootId ?? (await kernelBootId());
  return { agentVersion: `fleet-agent/${version}`, boot, bootId: boot ?? randomUUID(), instance: randomUUID() };
}

function kernelBootId(): Promise<string | undefined> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}
