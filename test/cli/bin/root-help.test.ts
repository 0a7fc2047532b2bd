import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bin } from '../../support/cli.ts';

const printed = (path: string, args: readonly string[], env = {}) =>
  promisify(execFile)(process.execPath, [path, ...args], { env: { PATH: process.env['PATH'], ...env } });

test.each([[[]], [['--help']], [['-h']]])(
  'the built client prints with %j what its help command prints',
  async (args) => {
    expect(await printed(bin, args)).toEqual(await printed(bin, ['help']));
    const coloured = { FORCE_COLOR: '1' };
    expect(await printed(bin, args, coloured)).toEqual(await printed(bin, ['help'], coloured));
  },
);
