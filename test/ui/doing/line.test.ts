import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { lineText, words } from '../../../cli/ui/doing/line.ts';

test.each([['Hall 3'], ["Kim's robots"], ['$HOME `id` "x"'], ['日本語'], ['a\\b'], ['plain-1.8.2']])(
  'a shell reads %j as it is',
  (word) => {
    const line = lineText(words({ command: 'sites create', args: [word] })).replace(/^cli /, "printf '%s\\n' ");
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`sites\ncreate\n${word}\n`);
  },
);
