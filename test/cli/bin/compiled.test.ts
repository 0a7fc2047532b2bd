import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bin } from '../../support/cli.ts';

const said = 'control a fleet of robots';
const edited = 'control a fleet of ROBOTS';

/** A copy of the built client whose code was edited by a word of the same length; the times of its files are those of the build. */
async function editedClient() {
  const path = await mkdtemp(join(tmpdir(), 'fleet-compiled-'));
  const beside = (name: string) => join(path, name);
  await cp(dirname(bin), path, { recursive: true, preserveTimestamps: true });
  const code = beside('run.code.js');
  const { atime, mtime } = await stat(code);
  const text = await readFile(code, 'utf8');
  expect(text).toContain(said);
  await writeFile(code, text.replace(said, edited));
  await utimes(code, atime, mtime);
  return {
    code,
    cache: beside('run.code.cache'),
    async help(...nodeArgs: string[]) {
      const args = [...nodeArgs, beside('main.js'), 'help'];
      return (await promisify(execFile)(process.execPath, args)).stdout.split('\n')[0];
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

test('the client runs what V8 made of its code when it was built', async () => {
  await using client = await editedClient();
  expect(await client.help()).toContain(said);
});

test.each<[string, (client: Awaited<ReturnType<typeof editedClient>>) => Promise<unknown>]>([
  ['is older than the code', ({ code }) => utimes(code, new Date(), new Date())],
  ['is not there', ({ cache }) => rm(cache)],
  ['was cut', ({ cache }) => truncate(cache, 100_000)],
  ['is empty', ({ cache }) => truncate(cache, 0)],
  ['is something else', ({ cache }) => writeFile(cache, 'x'.repeat(1000))],
])('the client runs its code where what V8 made of it %s', async (_what, spoil) => {
  await using client = await editedClient();
  await spoil(client);
  expect(await client.help()).toContain(edited);
});

test('the client runs its code where another version of V8 or a translated stack is asked for', async () => {
  await using client = await editedClient();
  // V8 counts its flags to its version.
  expect(await client.help('--stack-size=900')).toContain(edited);
  expect(await client.help('--enable-source-maps')).toContain(edited);
});
