import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand } from '../../../cli/agent/orders/command.ts';

const run = (...args: string[]) =>
  runCommand({
    command: 'echo',
    args,
    environment: {},
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onLine: () => undefined,
  });

const limitOpenFiles = (count: string) => execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${count}:`]);

test('a program that the system cannot start is told as such, and never as an error that ends the agent', async () => {
  expect(await run('a')).toMatchObject({ how: 'exited', code: 0, tail: ['a'] });
  expect(await run('a\0b')).toMatchObject({ how: 'not_started', code: undefined, tail: [] });
  const usual = execFileSync('prlimit', [`--pid=${process.pid}`, '--nofile', '--output=SOFT', '--noheadings'], {
    encoding: 'utf8',
  }).trim();
  limitOpenFiles('300');
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch (error) {
    expect(error).toMatchObject({ code: 'EMFILE' });
  }
  const end = await run('a');
  files.forEach(closeSync);
  limitOpenFiles(usual);
  expect(end).toMatchObject({ how: 'not_started', code: undefined });
  expect(end.text).toMatch(/^it could not be started: .*EMFILE/);
  expect(await run('b')).toMatchObject({ code: 0, tail: ['b'] });
});
