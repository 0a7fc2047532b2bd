import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { onlyChildOf } from '../../../../cli/agent/shell/processes.ts';
import { beginShell } from '../../../../cli/agent/shell/shell.ts';
import { loadNativePty, startInTerminal } from '../../../../cli/agent/shell/terminal.ts';

test('a shell that cannot be started is not ended for being idle later', async () => {
  const told: string[] = [];
  const start = () => {
    throw new Error('no more terminals');
  };
  const tell = (what: string) => () => void told.push(what);
  const on = { output: tell('output'), drained: tell('drained'), ended: tell('ended'), idle: tell('idle') };
  expect(() => beginShell({ start, idleMs: 10 }, on)).toThrow('no more terminals');
  await sleep(50);
  expect(told).toEqual([]);
});

test('what was never started has no child: the processes without a parent are none of ours', () => {
  expect(onlyChildOf(0)).toBe(0);
});

test('where too many files are open a shell is not started, and that is all', async () => {
  const module = fileURLToPath(new URL('../../../../cli/agent/shell/pipes.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [module],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  const script = `${outputFiles[0]?.text ?? ''}
    import { openSync as openOneMore } from 'node:fs';
    try { for (;;) openOneMore('/dev/null', 'r'); } catch {}
    try { startOnPipes({ file: 'true', args: [], environment: {}, cwd: '/' }, {}); } catch (error) { process.stdout.write(error.message); }`;
  const limited = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const ended = await promisify(execFile)('sh', limited).catch((error: unknown) => error);
  expect(ended).toEqual({ stdout: 'too many files are open', stderr: '' });
});

/** Ends of terminals that this process has open. */
const openTerminals = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return /^\/dev\/(ptmx|pts\/)/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.input ?? [];
    } catch {
      return []; // of the folder that was read
    }
  });

test('a program that cannot be given to a terminal leaves none of it open', async () => {
  const native = await loadNativePty();
  if (!native) throw new Error('node-pty has no native part for this machine');
  const before = openTerminals();
  const start = { file: 'true', args: ['a\0b'], cwd: '/', environment: {}, columns: 80, rows: 24, killsAll: false };
  const nobody = { output: () => undefined, drained: () => undefined, ended: () => undefined };
  expect(() => startInTerminal(native, start, nobody)).toThrow('null bytes');
  expect(openTerminals()).toEqual(before);
});
