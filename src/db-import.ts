import { resolve } from 'node:path';
import { readConfig } from './config.ts';
import { commandLog, runCommand, tell } from './db-command.ts';
import { checkExport, importDatabase } from './platform/db/copy/import.ts';
import { CopyError } from './platform/db/copy/manifest.ts';
import { openForImport } from './platform/db/embedded/index.ts';

/** `npm run db:import -- <folder>`: fills the empty database of DATABASE_URL or of the data folder. */
await runCommand(async () => {
  const [named] = process.argv.slice(2);
  if (named === undefined) throw new CopyError('name the folder of the export: npm run db:import -- <folder>');
  const checked = await checkExport(resolve(named));
  const { databaseUrl, dataDir } = readConfig();
  const embedded = databaseUrl === undefined ? await openForImport({ dataDir, log: commandLog }) : undefined;
  try {
    await importDatabase(embedded?.connection ?? databaseUrl ?? '', checked, tell);
    await embedded?.keep();
    tell(`imported ${checked.manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows; start the service`);
  } finally {
    await embedded?.stop();
  }
});
