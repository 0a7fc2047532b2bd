import { spawnSync } from 'node:child_process';
import type { Block } from '../support/documents.ts';

/** One command of a block, of one or more lines. */
export interface CommandLine {
  line: string;
  /** The output in the document; empty if it shows none. */
  printed: string;
}

/** Whether bash waits for more lines: after a backslash, in a quotation, a loop or a here-document. */
function wantsMore(text: string): boolean {
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) return true;
  const { stderr } = spawnSync('/bin/bash', ['-n'], { input: `${text}\n`, encoding: 'utf8' });
  return /unexpected (?:end of file|EOF)|here-document .* delimited by end-of-file/.test(stderr);
}

/** In a block with prompts, what follows them is typed and the rest is output; otherwise every line is typed. */
export function commandLines({ text }: Block): CommandLine[] {
  const hasPrompts = text.startsWith('$ ');
  const commands: CommandLine[] = [];
  let isOpen = false;
  for (const line of text.trimEnd().split('\n')) {
    const last = commands.at(-1);
    if (isOpen && last) last.line += `\n${hasPrompts ? line.replace(/^> /, '') : line}`;
    else if (!hasPrompts || line.startsWith('$ '))
      commands.push({ line: hasPrompts ? line.slice(2) : line, printed: '' });
    else if (last) {
      last.printed += `${line}\n`;
      continue;
    }
    isOpen = wantsMore(commands.at(-1)?.line ?? '');
  }
  return commands.filter(({ line }) => !/^\s*(?:#|$)/.test(line));
}
