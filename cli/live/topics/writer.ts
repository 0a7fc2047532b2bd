import type { TopicGap, TopicRecord, TopicStatus } from '../../../generated/media.js';
import { usage } from '../../command-line/errors.ts';
import { safeCell, safeJson } from '../../output/safe.ts';
import { toYaml } from '../../output/yaml.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { pick, type Field } from './fields.ts';
import { messageLines } from './text.ts';

/** Writes messages to stdout, and gap and status frames to stderr. */
interface TopicWriter {
  record(record: TopicRecord, text: string): void;
  /** A robot may omit any of its fields. */
  word(word: Partial<TopicGap | TopicStatus>): void;
}

/**
 * Writes messages for people on a terminal, else one record per line, or YAML documents on request. Throws CliError for
 * other formats.
 */
export function topicWriter(call: Invocation, fields: readonly Field[] | undefined): TopicWriter {
  const { flags, io } = call;
  const { out, err } = io;
  const asked = flags.text('output');
  if (asked !== undefined && asked !== 'table' && asked !== 'yaml' && asked !== 'jsonl')
    throw usage(`echo cannot print ${asked}`, 'Use -o jsonl, yaml or table');
  if (flags.on('json') && asked !== undefined)
    throw usage('--json and --output exclude each other', '--json prints each unchanged record. Use one of the two');
  if (flags.on('json') && fields)
    throw usage(
      '--json and --fields exclude each other',
      '--json prints each unchanged record. Select fields with: -o jsonl --fields <a,b>',
    );
  const form = flags.on('json') ? 'jsonl' : (asked ?? (out.tty ? 'table' : 'jsonl'));
  return {
    record({ msg, truncated }, text) {
      const shown = fields ? pick(msg, fields) : msg;
      const end = out.paint('---', 'quiet');
      if (form === 'table') return out.write(`${messageLines(shown).join('\n')}\n${end}\n`);
      if (form === 'yaml') {
        const cut = truncated === true ? '# truncated: large arrays and bytes are shortened\n' : '';
        return out.write(`${toYaml(shown)}${cut}${end}\n`);
      }
      // JSON has line feeds only between its tokens.
      const line = fields ? JSON.stringify(shown) : text.replaceAll(/[\r\n]/g, ' ');
      out.write(`${out.tty ? safeJson(line) : line}\n`);
    },
    word(word) {
      err.write(
        `${err.paint(`── ${safeCell(word.message ?? word.type ?? '')} ──`, word.level === 'warn' ? 'warn' : 'quiet')}\n`,
      );
    },
  };
}
