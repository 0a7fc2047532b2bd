import type { Call, History, LinkSpan, Reading, Sighting } from './history.ts';

/** What the service has stored, read without it once the load rests. */
export interface State {
  /** Names of all sites. */
  sites: string[];
  deployments: { id: string; key: string; hasEnded: boolean }[];
  /** Of each deployment to a robot, how often it was applied, where that is more than once. */
  appliedAgain: { deploymentId: string; robotId: string; count: number }[];
  /** SHA-256 of the artifacts that can be downloaded, of their bytes. */
  artifacts: string[];
  /** Messages of each robot's log, in the order of the service: `<spool> <number> ...`. */
  logs: { robotId: string; messages: string[] }[];
  /** Output of the verification of the audit chain, if it failed. */
  auditFailure?: string;
}

export interface Bounds {
  /** Longest time in which a revoked token may still work. */
  revokedMs: number;
  /** Longest time for which a linked robot may be shown as offline. */
  offlineMs: number;
}

/** A promise that was broken. `loss`: something acknowledged is missing. */
export interface Violation {
  promise: 'loss' | 'double' | 'order' | 'presence' | 'audit' | 'revocation' | 'ending' | 'error' | 'stream';
  text: string;
}

/** All broken promises. */
export const check = (history: History, state: State, bounds: Bounds): Violation[] => [
  ...checkWrites(history.calls, state),
  ...checkApplied(state),
  ...checkLogs(history, state),
  ...checkPresence(history, bounds.offlineMs),
  ...checkRevocations(history.calls, bounds.revokedMs),
  ...history.readings.flatMap(checkReading),
  ...history.calls
    .filter(({ status }) => status === 500)
    .map(({ kind, key }) => broken('error', `500: ${kind} ${key}`)),
  ...(state.auditFailure === undefined ? [] : [broken('audit', state.auditFailure)]),
];

const broken = (promise: Violation['promise'], text: string): Violation => ({ promise, text });

const countsOf = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Each acknowledged write is stored once, and one that was not acknowledged at most once; retries return what the first try made. */
function checkWrites(calls: readonly Call[], { sites, deployments, artifacts }: State): Violation[] {
  const stored = {
    site: countsOf(sites),
    deployment: countsOf(deployments.map(({ key }) => key)),
    upload: new Map([...new Set(artifacts)].map((digest) => [digest, 1])),
  };
  return (['site', 'deployment', 'upload'] as const).flatMap((kind) => {
    const ofKind = calls.filter((call) => call.kind === kind);
    const counts = stored[kind];
    const acknowledged = new Set(ofKind.filter(({ outcome }) => outcome === 'ok').map(({ key }) => key));
    const ids = new Set(ofKind.filter(({ id }) => id !== undefined).map(({ key, id }) => `${key} ${id}`));
    const idsOf = countsOf([...ids].map((pair) => pair.split(' ')[0] ?? ''));
    return [
      ...[...acknowledged].filter((key) => !counts.has(key)).map((key) => broken('loss', `${kind} ${key} is missing`)),
      ...[...new Set(ofKind.map(({ key }) => key))]
        .filter((key) => (counts.get(key) ?? 0) > 1)
        .map((key) => broken('double', `${kind} ${key} is stored ${counts.get(key)} times`)),
      ...[...idsOf].filter(([, count]) => count > 1).map(([key]) => broken('double', `${kind} ${key} has several IDs`)),
    ];
  });
}

const checkApplied = ({ appliedAgain, deployments }: State): Violation[] => [
  ...appliedAgain.map(({ deploymentId, robotId, count }) =>
    broken('double', `robot ${robotId} applied deployment ${deploymentId} ${count} times`),
  ),
  ...deployments
    .filter(({ hasEnded }) => !hasEnded)
    .map(({ id }) => broken('ending', `deployment ${id} has not ended`)),
];

/** Each record of a spool is stored once and in order, at least up to the acknowledged one. */
function checkLogs({ acknowledgements }: History, { logs }: State): Violation[] {
  const found: Violation[] = [];
  const reached = new Map<string, number>();
  for (const { robotId, messages } of logs)
    for (const message of messages) {
      const [spool = '', text = ''] = message.split(' ', 2);
      const [number, last] = [Number(text), reached.get(`${robotId} ${spool}`) ?? 0];
      const what = `record ${number} of spool ${spool}`;
      if (number <= last) found.push(broken(number === last ? 'double' : 'order', `${what} comes after ${last}`));
      else if (number > last + 1) found.push(broken('loss', `${what} comes after ${last}`));
      reached.set(`${robotId} ${spool}`, Math.max(number, last));
    }
  for (const { robotId, spool, upTo } of acknowledgements) {
    const last = reached.get(`${robotId} ${spool}`) ?? 0;
    if (last < upTo)
      found.push(broken('loss', `spool ${spool} is acknowledged up to ${upTo} and stored up to ${last}`));
  }
  return found;
}

function checkPresence({ links, sightings }: History, offlineMs: number): Violation[] {
  const isLinked =
    ({ robotId, atMs }: Sighting) =>
    (link: LinkSpan) =>
      link.robotId === robotId && link.startMs <= atMs - offlineMs && link.heardMs >= atMs;
  return sightings
    .filter((sighting) => !sighting.online && links.some(isLinked(sighting)))
    .map(({ robotId }) => broken('presence', `robot ${robotId} is linked and shown as offline`));
}

function checkRevocations(calls: readonly Call[], revokedMs: number): Violation[] {
  const revokedAt = new Map(
    calls.filter(({ kind, outcome }) => kind === 'revoke' && outcome === 'ok').map(({ key, endMs }) => [key, endMs]),
  );
  return calls
    .filter(({ kind, outcome }) => kind === 'use' && outcome === 'ok')
    .map((use) => ({ use, lateMs: use.startMs - (revokedAt.get(use.key) ?? Infinity) }))
    .filter(({ lateMs }) => lateMs > revokedMs)
    .map(({ use, lateMs }) =>
      broken('revocation', `token ${use.key} worked ${Math.round(lateMs)} ms after its revocation`),
    );
}

function checkReading({ stream, numbers, skipped, failure }: Reading): Violation[] {
  const last = numbers.at(-1) ?? 0;
  const first = numbers[0] ?? 1;
  const isOrdered = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  const missing = last - first + 1 - numbers.length - skipped;
  return [
    ...(isOrdered ? [] : [broken('stream', `${stream}: a record came twice or out of order`)]),
    ...(isOrdered && missing > 0 ? [broken('stream', `${stream}: ${missing} records are missing`)] : []),
    ...(failure === undefined ? [] : [broken('stream', `${stream}: ${failure}`)]),
  ];
}
