import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { documentAt, repository } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { startReader, type Reader } from './docs-terminal.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A new user with an own home, who has run `npm ci` in this folder and knows nothing else. */
export interface Newcomer extends AsyncDisposable {
  reader: Reader;
  home: string;
  /** Where the service will be once the user has started it. */
  url: string;
  /** The command that starts it there, like `npm start` after a build. */
  startsService: string;
}

/** The README's alternative to `npm link`, which changes the machine. */
const alias = /`(alias cli=[^`]+)`/.exec(documentAt('README.md').text)?.[1] ?? '';

export async function startNewcomer(): Promise<Newcomer> {
  const { path: home, ...folder } = await tempDir();
  const work = join(home, 'work');
  await mkdir(work);
  const port = await freePort();
  const reader = await startReader({
    cwd: repository,
    env: { HOME: home, PAGER: 'cat' },
    setUp: [alias, `cd ${work}`],
  });
  return {
    reader,
    home,
    url: `http://127.0.0.1:${port}`,
    startsService: `PORT=${port} node ${join(repository, 'dist/server/main.js')}`,
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** On a terminal the service reports in words that it is ready; its log line comes last. */
export const isReady = /"msg":"ready".*\n/;
