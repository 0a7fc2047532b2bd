import { join } from 'node:path';
import type { HealthSnapshot } from '../../../generated/frames.js';
import type { AgentLog } from '../logs/agent-log.ts';
import type { RosGraphs } from '../ros/ros-graphs.ts';
import type { RunIdentity } from '../run-identity.ts';
import type { LinkFacts } from '../service-link.ts';
import { unitedZones } from './lifted-parts.ts';
import { healthPrograms } from './programs.ts';
import { machineSampler } from './sample.ts';

interface SnapshotSettings {
  /** The folder that may contain `health.d`. */
  configDirectory: string;
  /** The environment of the programs in `health.d`. */
  environment: Readonly<Record<string, string>>;
  /** Between runs of these programs; default: 60. */
  healthSeconds?: number | undefined;
}

interface SnapshotParts {
  run: RunIdentity;
  ros: RosGraphs;
  log: AgentLog;
}

interface Snapshots {
  sample(link: LinkFacts): HealthSnapshot;
  /** Runs the programs of `health.d` now, and returns what they and the robot say. */
  look(): Promise<HealthSnapshot>;
  /** Kills the programs of `health.d`; resolves when none is running. */
  stop(): Promise<void>;
}

/** Age of the programs' output that still counts as now. */
const lookMs = 2_000;

/**
 * Complete snapshots of the robot's health: values from the machine, its ROS graphs, its own programs and the agent. A part
 * that several give is that of the programs, else of ROS, else of the machine; thermal zones are united.
 */
export function healthSnapshots(
  { configDirectory, environment, healthSeconds = 60 }: SnapshotSettings,
  { run, ros, log }: SnapshotParts,
): Snapshots {
  const programs = healthPrograms(join(configDirectory, 'health.d'), environment, log.troubles, healthSeconds * 1_000);
  const machine = machineSampler(run);

  function measured(): HealthSnapshot {
    const ofMachine = machine();
    const { temperature, ...lifted } = programs.lifted;
    return {
      ...ofMachine,
      ...ros.health?.measured,
      ...lifted,
      ...(temperature && { temperature: unitedZones(ofMachine.temperature, temperature) }),
    };
  }

  return {
    async look() {
      programs.refresh(lookMs);
      await programs.finished();
      return measured();
    },
    sample({ rttMs, reconnects, clockOffsetMs }) {
      programs.refresh();
      const extra = { ...ros.health?.extra, ...programs.said };
      return {
        ...measured(),
        link: { reconnects, ...(rttMs !== undefined && { rtt_ms: Number(rttMs.toFixed(1)) }) },
        spool: log.spool.stats,
        ...(clockOffsetMs !== undefined && { clock_offset_ms: clockOffsetMs }),
        ...(Object.keys(extra).length > 0 && { extra }),
      };
    },
    stop: programs.stop,
  };
}
