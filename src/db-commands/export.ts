import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { commandLog, runCommand, tell } from './command.ts';
import { exportDatabase } from '../platform/db/copy/export.ts';
import { openForExport } from '../platform/db/embedded/index.ts';

const usage = 'npm run db:export [-- <folder>]: copies the database into a new folder (default ./export-<time>)';

/** The folder's path goes to stdout, all else to stderr. */
await runCommand(usage, async (named) => {
  const folder = resolve(named ?? `export-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`);
  const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = readConfig();
  const embedded = databaseUrl === undefined ? await openForExport({ dataDir, log: commandLog }) : undefined;
  try {
    const { tables } = await exportDatabase(embedded?.connection ?? databaseDirectUrl ?? '', folder, tell);
    tell(
      `exported ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows; the folder contains the digests of all tokens: restrict access to it`,
    );
    process.stdout.write(`${folder}\n`);
  } finally {
    await embedded?.stop();
  }
});
