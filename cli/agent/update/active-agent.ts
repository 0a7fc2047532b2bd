import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileOf, rolledBack, type Program, type UpdateRecord } from './record.ts';

/** Maximum starts of an agent on probation. Exits of the agent, of its supervisor and of the machine all count. */
const maxStarts = 3;

/** The program to start, and its record. */
export interface ActiveAgent {
  record: UpdateRecord;
  /** Undefined: the installed agent. */
  program: Program | undefined;
}

/**
 * Checks the record before a start. Rolls back an agent that did not pass probation or whose file is no longer intact.
 * `installed`: version of the installed agent. If another version was installed since, that one takes effect.
 */
export async function resolveActiveAgent(home: string, found: UpdateRecord, installed: string): Promise<ActiveAgent> {
  let record = found;
  if (record.current && record.installed !== undefined && record.installed !== installed) {
    const why = `the installed agent was replaced: it was ${record.installed} and is ${installed}`;
    record = { ...rolledBack({ ...record, previous: undefined }, why), installed };
  }
  const { probation } = record;
  if (record.current && probation && probation.starts >= maxStarts) {
    const last = probation.ended ? `the last time ${probation.ended.how}` : 'and never passed its probation';
    record = rolledBack(record, `it was started ${probation.starts} times, ${last}`, probation.ended?.tail);
  }
  while (record.current && !(await isWhole(home, record.current)))
    record = rolledBack(record, 'its file is damaged or missing');
  const { current } = record;
  if (!current) return { record, program: undefined };
  return {
    record: {
      ...record,
      installed,
      ...(record.probation && { probation: { ...record.probation, starts: record.probation.starts + 1 } }),
    },
    program: current,
  };
}

const isWhole = (home: string, { digest }: Program): Promise<boolean> =>
  readFile(fileOf(home, digest)).then(
    (content) => createHash('sha256').update(content).digest('hex') === digest,
    () => false,
  );
