import { expect, test } from 'vitest';
import { programOf } from '../../../cli/executable/program.ts';

const own = '/usr/bin/fleet-agent';
/** As Node makes it in an executable: the second is what was typed. */
const started = (...args: string[]) => programOf([own, 'fleet-agent', ...args], own);

test('an executable runs its own program, whatever its arguments are', () => {
  expect(started()).toEqual({ argv: [own, own] });
  for (const args of [['run', '--name', '/a.mjs'], ['/usr/bin/other'], ['agent.mjs'], ['./a.mjs'], ['', '/a.mjs']])
    expect(started(...args)).toEqual({ argv: [own, own, ...args] });
});

test('started as Node is, with itself as the first argument, it is its own program', () => {
  expect(started(own, 'run', own)).toEqual({ argv: [own, own, 'run', own] });
});

test('started as Node is, with the path of a module, it runs that file', () => {
  const file = '/var/lib/agent/agent.mjs';
  expect(started(file, 'run')).toEqual({ argv: [own, file, 'run'], file });
});
