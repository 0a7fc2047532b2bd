import { readsOf, type Explained, type Read } from './explained.ts';

/** Tables that grow with robots; names of partitions begin with that of their table. */
const growing =
  /^(robot|token|target|open_target|order|deployment|timeline|audit|shell_session|plan_robot|maintenance)|^enrollment_key|^log_(chunk|counter|head|segment|stat|stream)/;

/** Reading a table of so many rows in one go is as cheap as an index. */
const smallTable = 1_000;

/**
 * Rows of a table that a statement of a page of 50 may read: a filter that one robot of 100 meets needs 5,000. With fewer robots
 * a third of them, so that whole tables are noticed.
 */
const mostRows = (robots: number): number => Math.min(20_000, robots / 3);

/** Entries of a GIN index, which are read without their rows: the part of a name `77` has 45,000 in a million robots. */
const mostEntries = 100_000;
const isIndex = (name: string): boolean => /_by_(name_part|label|label_key|release)$|_firing$/.test(name);

/** What is known to read more, each with its reason. */
const notBounded: readonly RegExp[] = [
  // Targets have no index by status: each step of a robot would have to change it (decision 53).
  /of targets, .*from "targets" where .*"status" = /,
  // Counts of all robots of a deployment, which is what they are for.
  /as robots from \( select t\.robot_id/,
  /with found as materialized \( select source_id, code/,
  // Waits of all targets that are open, which the sweeper ends; it runs in the background.
  /t\.order_id, 'robot_removed' as cause/,
  // The streams of an org are read once and kept, unless there are too many.
  /^Index Scan of log_streams, .* and "number" >= /,
  // A page of each fleet is merged, as chunks have an index by fleet: it grows with fleets.
  /^Index Scan of log_chunks_\S+ \d+ rows: .* from unnest\(\$\d::uuid\[\]\) as fleets/,
  // The chunks of the release before segments, which go with the next release (decision 106).
  /of log_counters, .*merged_until </,
];

/** Whether these are more rows than a page needs, or found without an index. */
const isTooMuch = ({ type, of, rows }: Read, robots: number): boolean =>
  type.endsWith('Seq Scan')
    ? growing.test(of) && rows > smallTable
    : rows > (isIndex(of) ? mostEntries : mostRows(robots));

/** What is wrong with a statement, but for what is known. */
export const faultsOf = ({ text, plan }: Explained, robots: number): string[] =>
  readsOf(plan)
    .filter((read) => isTooMuch(read, robots))
    .map(({ type, of, rows }) => `${type} of ${of}, ${rows} rows: ${text.replaceAll(/\s+/g, ' ')}`)
    .filter((fault) => !notBounded.some((known) => known.test(fault)));

const few = 'an org has few of them, and one is found by its ID';

/** Operations that read and are not requested. */
export const notRequested: Record<string, string> = {
  getHealthSummary: 'it counts all robots',
  listConditionMatches: 'it evaluates an expression for all robots',
  getDeploymentPlan: 'it counts all robots of the plan',
  getStats: 'it counts all robots',
  getStatus: 'it looks at the service, and counts up to a limit',
  getQuotas: 'it counts all robots of an org without quotas',
  getOrgQuotas: 'as getQuotas',
  getConditionRule: few,
  getDisruptionBudget: few,
  getLogRedaction: few,
  getRolloutPolicy: few,
  listOrgs: 'orgs do not grow with robots',
  downloadArtifact: 'it reads a file',
  getPayload: 'it needs the token of a robot',
  downloadShellRecording: 'it needs a recording',
  listRobotTopics: 'the robot sends them',
};
