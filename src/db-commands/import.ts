import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { commandLog, runCommand, tell } from './command.ts';
import { checkExport, importDatabase } from '../platform/db/copy/import.ts';
import { CopyError } from '../platform/db/copy/manifest.ts';
import { openForImport } from '../platform/db/embedded/index.ts';

const usage =
  'npm run db:import -- <folder>: imports an export into the empty database of DATABASE_URL, or of the data folder';

await runCommand(usage, async (named) => {
  if (named === undefined) throw new CopyError(usage);
  const checked = await checkExport(resolve(named));
  const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = readConfig();
  const embedded = databaseUrl === undefined ? await openForImport({ dataDir, log: commandLog }) : undefined;
  try {
    await importDatabase(embedded?.connection ?? databaseDirectUrl ?? '', checked, tell);
    await embedded?.keep();
    tell(`imported ${checked.manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows; start the service`);
  } finally {
    await embedded?.stop();
  }
});
