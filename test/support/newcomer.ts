import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { documentAt, repository } from './documents.ts';
import { freePort } from './free-port.ts';
import { startReader, type Reader } from './reader.ts';
import { tempDir } from './temp-dir.ts';

/** Somebody with a home of their own, who has done `npm ci` in this folder and knows nothing yet. */
export interface Newcomer extends AsyncDisposable {
  reader: Reader;
  home: string;
  /** Where the service will be once they have started it. */
  url: string;
  /** What starts it there, as `npm start` does where it is built already. */
  startsService: string;
}

/** What the README offers to who would not change the machine by `npm link`. */
const alias = /`(alias cli=[^`]+)`/.exec(documentAt('README.md').text)?.[1] ?? '';

export async function startNewcomer(): Promise<Newcomer> {
  const { path: home, ...folder } = await tempDir();
  const work = join(home, 'work');
  await mkdir(work);
  const port = await freePort();
  const reader = await startReader({ cwd: repository, env: { HOME: home }, setUp: [alias, `cd ${work}`] });
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

/** On a terminal the service says in words that it is ready; the line of its log comes last. */
export const isReady = /"msg":"ready".*\n/;
