import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { documentsIn } from '../support/documents.ts';
import { runbooks } from './observability.ts';

/** The lines of the service that a runbook looks for in the journal, as they stand in the source. */
const linesOf: Record<string, string[]> = {
  'bus-down': [
    'the bus is down',
    'bus connection failed',
    'NATS does not work: hints arrive a second late',
    'notifications of Postgres do not arrive',
    'which does not use NATS: token permissions are read from the database',
  ],
  'deployments-overdue': [
    'what is due in deployments could not be read',
    'a deployment could not be started',
    'due deployments could not be read',
    'overdue targets could not be ended',
    'a rollout could not be decided on',
    'rollouts without a next decision could not be read',
  ],
  'fault-of-the-service': ['a response does not match the contract', 'counts of a deployment differ from its targets'],
  'log-frames-fail': ['log records could not be stored; retrying', 'log records of a robot cannot be stored'],
  'log-merge-late': ['log records could not be merged'],
  'log-records-lost': [
    'log records are damaged in the database, and are lost',
    'a segment of log records cannot be read in the database, and is lost',
  ],
  'log-records-withheld': ['log redaction rules ${because}'],
  'log-tables-full': [
    'log records could not be merged',
    'log records could not be moved into the object store',
    'the database is damaged: it cannot read log records of a day',
  ],
  'orders-late': ['orders could not be sent'],
  'replica-restarts': [],
  'requests-fail': ['request failed'],
};

/** Lines of systemd, V8 and the kernel. */
const linesOfOthers: Record<string, string[]> = {
  'replica-restarts': [
    'fleet-control-service.service: Main process exited, code=exited, status=1/FAILURE',
    'fleet-control-service.service: Main process exited, code=killed, status=9/KILL',
    'fleet-control-service.service: A process of this unit has been killed by the OOM killer.',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    '{"level":60,"msg":"uncaughtException"}',
  ],
};

test('each runbook finds in the journal the lines that it looks for', () => {
  const source = documentsIn('src', '.ts').map(({ text }) => text);
  const searches = runbooks.flatMap(({ path, text }) =>
    [...text.matchAll(/^journalctl -u .*?\| grep (-\S.*? )?'(.+?)'/gm)].map(([, flags = '', pattern = '']) => ({
      name: path.replace(/^.*\/|\.md$/g, ''),
      words: [...flags.split(' ').filter(Boolean), pattern],
    })),
  );
  expect(searches.map(({ name }) => name)).toEqual(Object.keys(linesOf));
  for (const { name, words } of searches) {
    const own = linesOf[name] ?? [];
    expect([name, own.filter((line) => !source.some((text) => text.includes(line)))]).toEqual([name, []]);
    const lines = [...own, ...(linesOfOthers[name] ?? [])];
    const missed = lines.filter((line) => !finds(words, line));
    expect([name, missed]).toEqual([name, []]);
    expect([name, finds(words, '{"level":30,"msg":"ready"}')]).toEqual([name, false]);
  }
});

function finds(words: string[], input: string): boolean {
  try {
    execFileSync('grep', words, { input });
    return true;
  } catch {
    return false;
  }
}
