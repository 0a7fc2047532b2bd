import { packSamples } from '../../../../src/robot-metrics/packing.ts';
import { samplesPerBlock, seriesNames } from '../../../../src/robot-metrics/model.ts';
import { sizes } from './robot-tables.ts';
import { sqlId, type Rows } from './rows.ts';

/** The most entries of a window that is stored as one, and of all that are not yet rolled up. */
const [entriesTogether, pendingEntries] = [2_000, 200_000];
const pendingWindows = 10;

/**
 * Counts of log records that are not yet rolled up, of ten windows. Half of the windows are of few robots, in part 0, the
 * others of many, in parts 1 to 16. Each has one row of robots and one of fleets.
 */
function pendingStats(orgId: string, robots: number): Rows[] {
  const { fleets } = sizes(robots);
  const ofMany = Math.floor(Math.min(robots / 10, pendingEntries / pendingWindows) / 16);
  const rows = (count: number, part: string, entries: number, isByFleet: boolean): Rows => {
    const arrayOf = (sql: string) => `array(select ${sql} from generate_series(1, ${entries}) as e)`;
    const slot = `date_bin('10 minutes', now(), 'epoch')`;
    // The last digit of the ID says the part.
    const robot = `16 * e + (${part} + 15) % 16`;
    const none = arrayOf('null::bigint');
    return {
      table: 'log_stats_pending',
      count,
      columns: {
        org_id: `'${orgId}'::uuid`,
        part,
        entries: `${entries}`,
        first_slot_at: slot,
        last_slot_at: slot,
        added_at: `now() + interval '1 day'`, // not due while the test runs
        robot_ids: isByFleet ? 'null' : arrayOf(sqlId('robot', robot)),
        fleet_ids: arrayOf(sqlId('fleet', `1 + e % ${fleets}`)),
        sources: arrayOf(`'nav'`),
        slots: arrayOf(slot),
        lines: arrayOf('1'),
        bytes: arrayOf('100'),
        debug: none,
        warn: none,
        error: none,
        fatal: none,
      },
    };
  };
  const half = pendingWindows / 2;
  return [false, true].flatMap((isByFleet) => [
    rows(half, '0', isByFleet ? Math.min(fleets, entriesTogether) : entriesTogether, isByFleet),
    rows(half * 16, '1 + n % 16', isByFleet ? Math.min(fleets, ofMany) : ofMany, isByFleet),
  ]);
}

/** Logs, metrics and audit entries: a row for one robot of ten. */
export function logTables(orgId: string, robots: number): Rows[] {
  const tenth = robots / 10;
  const { fleets } = sizes(robots);
  const ofRobot = { org_id: `'${orgId}'::uuid`, robot_id: sqlId('robot', 'n') };
  const ofFleet = { ...ofRobot, fleet_id: sqlId('fleet', `1 + n % ${fleets}`) };
  const received = `date_trunc('day', now())`;
  const line = `convert_to('{"ts":"2026-01-01T00:00:00.000Z","level":"warn","source":"nav","message":"line ' || n || '"}' || chr(10), 'UTF8')`;
  const samples = packSamples(seriesNames.map(() => Array.from({ length: samplesPerBlock }, () => 50))).toString('hex');
  const level = 'case when n % 100 = 0 then 3 else 2 end';
  return [
    {
      table: 'log_chunks',
      count: tenth,
      columns: {
        ...ofFleet,
        first_at: received,
        received_at: received,
        first_seq: '1',
        last_seq: '1',
        records: '1',
        bytes: '100',
        max_level: level,
        body: line,
      },
    },
    {
      table: 'log_stats',
      count: tenth,
      columns: { ...ofFleet, at: received, span_minutes: '60', source: `'nav'`, lines_0: '1' },
    },
    {
      table: 'log_stats_by_fleet',
      count: fleets,
      columns: {
        org_id: ofRobot.org_id,
        fleet_id: sqlId('fleet', 'n'),
        at: received,
        span_minutes: '60',
        source: `'nav'`,
        lines_0: '1',
      },
    },
    ...pendingStats(orgId, robots),
    {
      table: 'robot_metric_blocks',
      count: tenth,
      columns: { ...ofRobot, started_at: received, samples: `'\\x${samples}'` },
    },
    {
      table: 'audit',
      count: tenth,
      columns: {
        org_id: ofRobot.org_id,
        id: sqlId('audit', 'n'),
        seq: '1000 + n',
        hash: `sha256('audit')`,
        actor_kind: `'user'`,
        actor_id: `'actor-' || n % 1000`,
        operation: `case when n % 1000 = 5 then 'createSite' else 'updateRobot' end`,
        object_kind: `'robot'`,
        object_id: `${ofRobot.robot_id}::text`,
      },
    },
  ];
}
