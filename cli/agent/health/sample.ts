import { readFileSync } from 'node:fs';
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os';
import type { HealthSnapshot } from '../../../generated/frames.js';
import { linuxSampler } from './linux.ts';

interface SampleSettings {
  /** Name and version of the agent. */
  agentVersion: string;
  bootId: string;
}

/** The machine's part of a snapshot; values that cannot be measured are absent. */
export function machineSampler({ agentVersion, bootId }: SampleSettings): () => HealthSnapshot {
  const distro = platform() === 'linux' ? distroName() : undefined;
  const os = { platform: platform(), arch: arch(), kernel: release(), ...(distro !== undefined && { distro }) };
  const own = platform() === 'linux' ? linuxSampler() : portableSample;
  return () => ({
    ts: new Date().toISOString(),
    uptime_s: Math.round(uptime()),
    boot_id: bootId,
    agent: {
      version: agentVersion,
      pid: process.pid,
      rss_bytes: process.memoryUsage.rss(),
      uptime_s: Math.round(process.uptime()),
    },
    os,
    ...own(),
  });
}

/** For development hosts: what Node reports on any system. */
function portableSample(): HealthSnapshot {
  const load = platform() === 'win32' ? {} : { load: loadavg().map((value) => Number(value.toFixed(2))) };
  return {
    cpu: { cores: availableParallelism(), ...load },
    memory: { total_bytes: totalmem(), available_bytes: freemem() },
  };
}

function distroName(): string | undefined {
  try {
    return /^PRETTY_NAME="?([^"\n]{1,128})"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
