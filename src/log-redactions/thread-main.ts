/** The thread that applies the patterns of orgs. It does one job at a time. */
import { parentPort } from 'node:worker_threads';
import { redactSaid } from './record.ts';
import { compileRules, patternFault } from './patterns.ts';
import type { Job, Reply } from './thread.ts';

/** Sets of rules that are kept compiled. */
const maxSets = 200;
const sets = new Map<string, (text: string) => string>();

function compiled({ key, rules }: Extract<Job, { kind: 'redact' }>): (text: string) => string {
  const redact = sets.get(key) ?? compileRules(rules);
  sets.delete(key);
  sets.set(key, redact); // the oldest is the one that was not used for the longest time
  if (sets.size > maxSets) sets.delete(sets.keys().next().value ?? '');
  return redact;
}

function reply(job: Job): Reply {
  if (job.kind === 'check') return { kind: 'check', fault: patternFault(job.pattern) };
  const redact = compiled(job);
  return { kind: 'redact', redacted: job.said.map((said) => redactSaid(said, redact)) };
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(reply(job)));
