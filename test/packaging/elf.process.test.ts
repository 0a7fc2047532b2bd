import { spawnSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutSections } from '../../packaging/executables/elf.ts';
import { tempDir } from '../support/temp-dir.ts';

test('a program without its sections is smaller, and runs', async () => {
  await using folder = await tempDir();
  const whole = await readFile('/bin/echo');
  const lean = withoutSections(whole);
  expect(lean.length).toBeLessThan(whole.length);
  // Where the sections begin, and how many there are.
  expect([lean.readBigUInt64LE(40), lean.readUInt32LE(60)]).toEqual([0n, 0]);
  const file = join(folder.path, 'lean');
  await writeFile(file, lean);
  await chmod(file, 0o755);
  expect(spawnSync(file, ['hello'], { encoding: 'utf8' }).stdout).toBe('hello\n');
  expect(withoutSections(lean)).toEqual(lean);
});

test('what is no program for a 64-bit processor is refused', () => {
  for (const text of ['#!/bin/sh\n', '\u007fELF\u0001\u0001 of 32 bits', '\u007fEXE\u0002\u0001'])
    expect(() => withoutSections(Buffer.from(text))).toThrow('not a 64-bit, little-endian ELF file');
});
