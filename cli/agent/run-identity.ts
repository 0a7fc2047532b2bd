import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AgentSettings } from './settings.ts';

/** How the service distinguishes this run of the agent from other runs of the same robot. */
export interface RunIdentity {
  /** Name and version. */
  agentVersion: string;
  /** The id of this boot of the machine; undefined if it is unknown. */
  boot: string | undefined;
  /** The same; if it is unknown, each run counts as a boot. */
  bootId: string;
  /** The id of this run. */
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
