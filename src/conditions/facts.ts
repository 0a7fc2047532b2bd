import { highest, usedPercent } from '../kernel/measured-values.ts';
import { levelRank, type Value } from './measures.ts';

/** The part of a health snapshot that conditions read. All of it comes from a robot: any value can be missing. */
export interface Snapshot {
  uptime_s?: number;
  agent?: { version?: string };
  cpu?: { percent?: number };
  memory?: { total_bytes?: number; available_bytes?: number };
  disk?: { total_bytes?: number; free_bytes?: number }[];
  temperature?: { celsius?: number }[];
  battery?: { percent?: number; charging?: boolean; status?: string };
  link?: { rtt_ms?: number };
  clock_offset_ms?: number;
  estop?: boolean;
  mission?: { state?: string };
  diagnostics?: { level?: string };
  extra?: Record<string, unknown>;
}

/** Values of a robot by measure. */
export interface Facts {
  /** The value of a measure; undefined if it is not known. */
  valueOf(name: string): Value | undefined;
}

/** What the service itself knows of a robot. */
interface KnownFacts {
  /** Seconds since the robot was last seen; 0 while it is online. */
  offline: number;
  /** Links that began in the last hour, apart from the first. */
  reconnects: number;
  /** As the agent stated when it connected. */
  agentVersion: string | undefined;
}

/** The values of a robot with this snapshot; undefined before its first. */
export function factsOf(snapshot: Snapshot | undefined, known: KnownFacts): Facts {
  return {
    valueOf(name) {
      switch (name) {
        case 'offline':
          return known.offline;
        case 'reconnects':
          return known.reconnects;
        case 'agent_version':
          return known.agentVersion ?? snapshot?.agent?.version;
        default:
          return snapshot && measured(snapshot, name);
      }
    },
  };
}

function measured(snapshot: Snapshot, name: string): Value | undefined {
  switch (name) {
    case 'battery':
      return snapshot.battery?.percent;
    case 'charging':
      return snapshot.battery?.charging ?? chargingBy(snapshot.battery?.status);
    case 'cpu':
      return snapshot.cpu?.percent;
    case 'memory':
      return usedPercent(snapshot.memory?.total_bytes, snapshot.memory?.available_bytes);
    case 'disk':
      return highest(snapshot.disk?.map((disk) => usedPercent(disk.total_bytes, disk.free_bytes)));
    case 'temperature':
      return highest(snapshot.temperature?.map(({ celsius }) => celsius));
    case 'link_delay':
      return snapshot.link?.rtt_ms;
    case 'clock_offset':
      return snapshot.clock_offset_ms === undefined ? undefined : Math.abs(snapshot.clock_offset_ms) / 1_000;
    case 'estop':
      return snapshot.estop;
    case 'mission':
      return snapshot.mission?.state;
    case 'diagnostics':
      return rankOf(snapshot.diagnostics?.level);
    case 'uptime':
      return snapshot.uptime_s;
    default:
      return extraValue(snapshot.extra, name);
  }
}

/** Agents of earlier releases send only the status of the battery, in the words of Linux. */
function chargingBy(status: string | undefined): boolean | undefined {
  if (status === 'Charging') return true;
  return status === 'Discharging' || status === 'Not charging' || status === 'Full' ? false : undefined;
}

function rankOf(level: string | undefined): number | undefined {
  const rank = level === undefined ? -1 : levelRank(level);
  return rank < 0 ? undefined : rank;
}

/** `extra.a.b`: a text, number or boolean at that place. */
function extraValue(extra: unknown, name: string): Value | undefined {
  let found: unknown = extra;
  for (const part of name.split('.').slice(1)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return typeof found === 'number' || typeof found === 'string' || typeof found === 'boolean' ? found : undefined;
}

/** A stored snapshot. */
export const snapshotOf = (text: string | undefined): Snapshot | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Snapshot);
