import type { LogRecord } from '../../api/api.ts';
import { nameColumn, type View } from '../../output/view.ts';
import type { Reference } from '../name-lookup.ts';
import { levelTones } from './logs-lines.ts';

const tone = ({ level }: LogRecord) => levelTones[level];

/**
 * `robots` has names by id; undefined for the logs of one robot. A record is one line, whatever its message contains.
 */
export const recordView = (robots?: Pick<ReadonlyMap<string, string>, 'get'>): View<LogRecord> => ({
  columns: [
    // A record without a robot timestamp shows the time at which it was received.
    { field: 'ts', header: 'TIME', shown: 'table', whole: true, text: (record) => record.ts ?? record.received_at },
    {
      field: 'robot_id',
      header: 'ROBOT',
      shown: robots ? 'table' : 'asked',
      whole: true,
      text: (record) => robots?.get(record.robot_id) ?? record.robot_id,
    },
    { field: 'level', shown: 'table', whole: true, tone },
    { field: 'source', shown: 'table', whole: true, tone: () => 'quiet' },
    { field: 'message', shown: 'table', whole: true, tone },
    { field: 'seq', shown: 'wide' },
    { field: 'received_at', header: 'RECEIVED', shown: 'wide' },
    { field: 'type', shown: 'wide' },
    { field: 'unit', shown: 'wide' },
    { field: 'pid', shown: 'wide' },
    { field: 'node', shown: 'wide' },
    { field: 'dropped', shown: 'wide' },
    { field: 'reason', shown: 'wide' },
    { field: 'fields', shown: 'wide' },
    { field: 'truncated', shown: 'asked' },
    { field: 'redacted', shown: 'asked' },
    ...(robots ? [nameColumn<LogRecord>('robot_name', ({ robot_id: id }) => robots.get(id))] : []),
  ],
  name: (record) => String(record.seq),
});

/** The robot whose name the view shows. */
export const robotIn = ({ robot_id: id }: LogRecord): Reference => ['robots', id];
