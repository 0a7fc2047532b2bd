import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../../../cli/command-line/config.ts';
import { baseUrlOf } from '../../../../cli/api/connection.ts';
import { ioOf, processStreams } from '../../../../cli/command-line/io.ts';
import { parse } from '../../../../cli/command-line/parse.ts';
import { profileOf } from '../../../../cli/api/profile.ts';
import { signInByBrowser } from '../../../../cli/commands/sign-in/sign-in.ts';
import { catalog } from '../../../../cli/command-specs/index.ts';
import { listen } from '../../../support/cli.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('a sign-in that nobody answers expires, says so, and listens no more', async () => {
  await using home = await tempDir();
  await using portal = await listen((_, response) =>
    response.writeHead(400).end('{"error":{"code":"bad_request","message":"body: code is missing"}}'),
  );
  const command = catalog.find(['login']);
  if (!command) throw new Error('there is no login');
  const notes: string[] = [];
  const io = {
    ...ioOf(processStreams, false),
    input: new PassThrough(),
    note: (line: string) => void notes.push(line),
  };
  const parsed = await parse(command, ['--no-browser', '--base-url', portal.url]);
  const environment = readEnvironment({ HOME: home.path });
  const call = { command, ...parsed, catalog, environment, io, version: '0.0.0' };
  const base = baseUrlOf(portal.url, undefined, '');
  await expect(signInByBrowser(call, base, await profileOf(call), 50)).rejects.toMatchObject({
    message: 'the sign-in expired',
    exit: 4,
    hint: 'Nothing was saved. Try again: cli login',
  });
  const address = new URL(/http\S+/.exec(notes.join('\n'))?.[0] ?? '');
  await expect(fetch(address.searchParams.get('redirect_uri') ?? '')).rejects.toThrow('fetch failed');
  expect(portal.requests).toEqual(['POST /cli/token']);
});
