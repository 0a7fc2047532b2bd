/** Events of a robot; new kinds may be added. */
export type TimelineKind =
  | 'enrolled'
  | 'retired'
  | 'renamed'
  | 'moved'
  | 'labelled'
  | 'connected'
  | 'disconnected'
  | 'link_refused'
  | 'links_left_out'
  | 'duplicate_agent'
  | 'deployment_dispatched'
  | 'deployment_ended'
  | 'downgrade_left_out'
  | 'drift'
  | 'drift_ended'
  | 'condition_started'
  | 'condition_ended'
  | 'maintenance_started'
  | 'maintenance_ended'
  | 'pinned'
  | 'unpinned';

export type TimelineDetails = Record<string, unknown>;

/** One entry to write; `at` is the database clock. */
export interface NewTimelineEntry {
  orgId: string;
  robotId: string;
  kind: TimelineKind;
  details?: TimelineDetails | undefined;
}

export interface TimelineEntry {
  seq: number; // from 1 per robot, without gaps; no entry is ever inserted before an assigned number
  at: Date;
  kind: string; // a newer replica may write kinds unknown here
  details: TimelineDetails | undefined;
}

export interface TimelineQuery {
  after?: number | undefined;
  limit: number;
  kind?: string | undefined;
}

/** Maximum entries per response: the timeline is unbounded. */
export const maxEntries = 1_000;

const reasons: Record<string, string> = {
  ended: 'the agent ended the link',
  lost: 'the connection was lost',
  timeout: 'no data received for 30 s',
  replaced: 'a newer link took its place',
  refused: 'the agent broke the protocol',
  unauthorized: 'its token is no longer valid',
  service_stopped: 'the service stopped',
  service_lost: 'the service that held the link died',
  service_failed: 'the service failed',
  rebalanced: 'the service asked the agent to reconnect to another replica',
};

/** A sentence for people; programs use the kind and the details. */
export function messageOf({ kind, details = {} }: Pick<TimelineEntry, 'kind' | 'details'>): string {
  const text = (name: string): string => (typeof details[name] === 'string' ? details[name] : '');
  switch (kind) {
    case 'enrolled':
      return text('replaces') === '' ? 'enrolled' : `enrolled in place of robot ${text('replaces')}`;
    case 'retired':
      return `retired: its machine enrolled again as robot ${text('replaced_by')}`;
    case 'renamed':
      return `renamed from ${text('before')} to ${text('after')}`;
    case 'moved':
      return 'moved to another fleet';
    case 'labelled':
      return 'labels changed';
    case 'connected':
      return text('address') === '' ? 'connected' : `connected from ${text('address')}`;
    case 'disconnected': {
      const length = typeof details['seconds'] === 'number' ? ` after ${duration(details['seconds'])}` : '';
      return `disconnected${length}: ${reasons[text('reason')] ?? text('reason')}${closing(details)}`;
    }
    case 'link_refused':
      return `link refused before it was up${closing(details)}`;
    case 'links_left_out': {
      return `${String(details['entries'])} more connects and disconnects within an hour, left out here; the last: ${text('last')}`;
    }
    case 'duplicate_agent':
      return 'two agents use this identity; enroll one of them again';
    case 'deployment_dispatched':
      return `${text('name')} issued`;
    case 'deployment_ended':
      return `${text('name')} ${text('status').replace('_', ' ')}${text('reason') === '' ? '' : `: ${text('reason')}`}`;
    case 'downgrade_left_out':
      return `${text('release')} left out: the robot runs ${text('running')}, which is newer`;
    case 'drift': {
      const runs =
        text('running_sha256') === '' ? 'nothing' : text('running_tag') || `SHA-256 ${text('running_sha256')}`;
      return `${text('tag')} (${text('release_kind')}) no longer runs; what runs: ${runs}`;
    }
    case 'drift_ended':
      return `${text('tag')} (${text('release_kind')}) runs again`;
    case 'condition_started':
      return `${text('name')} (${text('severity')}): ${text('message')}`;
    case 'condition_ended':
      return `${text('name')} ended`;
    case 'maintenance_started':
      return `maintenance until ${text('until')}: ${text('reason')}`;
    case 'maintenance_ended':
      return `maintenance ended: ${text('reason')}`;
    case 'pinned':
      return `pinned at ${text('tag')} until ${text('until')}: ${text('reason')} (${text('pinned_by')})`;
    case 'unpinned':
      return `pin at ${text('tag')} ended${text('unpinned_by') === '' ? '' : ` by ${text('unpinned_by')}`}: ${text('reason')}`;
    default:
      return kind;
  }
}

/** ` (1008: heartbeat/health/cpu: must be object)`: the close frame sent to the agent; empty if none was sent. */
function closing({ code, close_reason: reason }: TimelineDetails): string {
  return typeof code === 'number' && typeof reason === 'string' ? ` (${code}: ${reason})` : '';
}

/** The two largest units: `3 d 4 h`, `12 min 5 s`, `8 s`. */
function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
