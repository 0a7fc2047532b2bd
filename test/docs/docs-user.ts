import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { documentAt, repository } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { startReader, type Reader } from './docs-terminal.ts';
import { nowhere, type Place } from './run-docs.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A new user with an own home, who has run `npm ci` in this folder and knows nothing else. */
export interface Newcomer extends AsyncDisposable {
  reader: Reader;
  /** Where the service will be once the user has started it. */
  url: string;
  place: Place;
}

/** The README's alternative to `npm link`, which changes the machine. */
const alias = /`(alias cli=[^`]+)`/.exec(documentAt('README.md').text)?.[1] ?? '';

export async function startNewcomer(): Promise<Newcomer> {
  const { path: home, ...folder } = await tempDir();
  const work = join(home, 'work');
  await mkdir(work);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const reader = await startReader({
    cwd: repository,
    env: { HOME: home, PAGER: 'cat' },
    setUp: [alias, `cd ${work}`],
  });
  return {
    reader,
    url,
    place: {
      ...nowhere,
      instead: {
        'npm ci && npm start': `PORT=${port} node ${join(repository, 'dist/server/main.js')}`,
        'http://127.0.0.1:8080': url,
        '/home/kim': home,
      },
    },
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
