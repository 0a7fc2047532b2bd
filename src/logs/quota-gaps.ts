import type { KeptLine } from './normalise.ts';
import { levelRank, type KeptRecord } from './model.ts';

/** Minimum time between two gap records of a robot. */
const gapEveryMs = 600_000;
/** Robots that are remembered. Of a forgotten one, the next gap record has fewer records. */
const maxRobots = 50_000;

interface Dropped {
  records: number; // that no gap record stands for yet
  gapAtMs: number; // of the last gap record
}

/** Counts the log records that the quota of their org refused, for the gap records in the logs of their robots. */
export function createQuotaGaps(nowMs: () => number = () => performance.now()) {
  const robots = new Map<string, Dropped>();
  const full = new Set<string>(); // orgs

  return {
    /** Counts records of a robot. Returns the gap record that stands for all so far, if one is due. */
    drop(orgId: string, robotId: string, lines: readonly KeptLine[]): KeptLine | undefined {
      full.add(orgId);
      const dropped = robots.get(robotId) ?? { records: 0, gapAtMs: -Infinity };
      dropped.records += lines.reduce((sum, { text }) => sum + recordsOf(text), 0);
      robots.set(robotId, dropped);
      const [oldest] = robots.keys();
      if (robots.size > maxRobots && oldest !== undefined) robots.delete(oldest);
      if (nowMs() - dropped.gapAtMs < gapEveryMs) return undefined;
      const gap = gapOf(dropped.records);
      dropped.records = 0;
      dropped.gapAtMs = nowMs();
      return gap;
    },

    reopen: (orgId: string) => void full.delete(orgId),

    /** The gap record for what was refused last, before the next record of the robot is stored. */
    take(orgId: string, robotId: string): KeptLine | undefined {
      if (robots.size === 0 || full.has(orgId)) return undefined;
      const records = robots.get(robotId)?.records ?? 0;
      robots.delete(robotId);
      return records > 0 ? gapOf(records) : undefined;
    },
  };
}

/** A refused gap record counts as the records that it stands for. */
const recordsOf = (text: string): number =>
  text.startsWith('{"type":"gap"') ? ((JSON.parse(text) as KeptRecord).dropped ?? 1) : 1;

function gapOf(dropped: number): KeptLine {
  const gap: KeptRecord = {
    type: 'gap',
    ts: new Date().toISOString(),
    level: 'warn',
    source: 'service',
    message: `${dropped} records dropped: the org has stored its quota of log bytes for today (UTC); see cli org quotas`,
    dropped,
    reason: 'org_quota',
  };
  return { text: JSON.stringify(gap), rank: levelRank(gap.level), isRedacted: false };
}
