import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { limits } from '../../../generated/protocol.js';
import { lineSplitter, type Line } from '../logs/lines.ts';
import { recordOf } from '../logs/parse.ts';
import { restartingChild } from './child.ts';
import type { Source, SourceContext } from './source.ts';

/** Both outputs of a command. A shell runs it, and it is restarted whenever it ends. */
export function execSource(
  command: string,
  environment: Readonly<Record<string, string>>,
  { intake, tell, troubles }: SourceContext,
): Source {
  const source = `exec:${basename(command.trim().split(/\s+/)[0] ?? '')}`;

  async function readLines(stream: Readable, fields?: Record<string, string>): Promise<void> {
    const lines = lineSplitter(limits.maxMessageBytes);
    const take = ({ text, isCut }: Line) => {
      if (text === '') return;
      intake.offer(source, () => {
        const record = recordOf(source, text, isCut);
        return fields ? { ...record, fields: { ...record.fields, ...fields } } : record;
      });
    };
    for await (const chunk of stream) lines.push(chunk as Buffer).forEach(take);
    const rest = lines.rest();
    if (rest) take(rest);
  }

  const trouble = `exec ${command}`;
  const runs = () => troubles.over(trouble, `"${command}" runs again`);

  return restartingChild({
    command: '/bin/sh',
    args: () => ['-c', command],
    environment,
    async read({ stdout, stderr }: ChildProcess) {
      if (!stdout || !stderr) return;
      await Promise.all([readLines(stdout), readLines(stderr, { stream: 'stderr' })]).catch(() => undefined);
    },
    onEnd(how, waitMs, isWell) {
      const message = `"${command}" ${how}; restarting it in ${Math.round(waitMs / 1000)} s`;
      if (!isWell) return troubles.is(trouble, message);
      runs();
      tell(message);
    },
    onRunning: runs,
  });
}
