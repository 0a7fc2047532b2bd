#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { release } from '../../generated/release.js';
import { readConfig } from '../config.ts';
import { tell, withSentences } from './command.ts';

const usage = `The fleet control service, and the commands for its host.

Usage: fleet-control-service [command]

  start                                    Run the service (default)
  backup [--with-objects] [<folder>]       Back up database and artifacts while the service runs
                                           (default ./backup-<time>)
  restore <folder>                         Restore a backup into an empty database
  check <folder>                           Verify a backup without restoring it

  erase robot <id> --yes                   Erase all data of a robot, forever
  erase org <id> --yes                     Erase all data of a suspended org, forever
  erase list                               List the latest erasures

  audit export [<folder>]                  Write audit entries older than --days to files
                                           (default ./audit-<time>)
  audit trim <folder> --yes                Verify these files, and delete their entries from the database
  audit list                               List what was exported and deleted

  ui [<option>…]                           Run the full-screen interface

Options:
  --with-objects   Copy artifacts and log records from the S3 bucket too
  --yes            Confirm a deletion: it cannot be undone
  --version        Print the version
  -h, --help       Print this help

Options of audit export:
  --days <n>       The least age of exported entries (default 400, at least 30)
  --org <id>       Export the entries of one org only

The settings are those of the service: environment variables, such as DATABASE_URL and SERVICE_DATA_DIR.`;

/** An invalid command line. */
const refuse = (reason: string): void => {
  tell(`${reason}. See: fleet-control-service --help`);
  process.exitCode = 2;
};

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  'with-objects': { type: 'boolean' },
  yes: { type: 'boolean' },
  days: { type: 'string' },
  org: { type: 'string' },
} as const;

function read() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // "Unknown option '--x'. To specify a positional …": the first sentence.
    refuse((error as Error).message.replace(/\. .*/s, ''));
    return undefined;
  }
}

async function run({ positionals, values }: NonNullable<ReturnType<typeof read>>): Promise<void> {
  const [name = 'start', folder, ...others] = positionals;
  const withObjects = values['with-objects'] === true;
  const given = (['days', 'org'] as const).find((each) => values[each] !== undefined);
  if (values.help) process.stdout.write(`${usage}\n`);
  else if (values.version) process.stdout.write(`${release}\n`);
  else if (!['start', 'backup', 'restore', 'check', 'erase', 'audit'].includes(name))
    refuse(`Unknown command "${name}"`);
  else if (values.yes === true && name !== 'erase' && name !== 'audit') refuse('--yes belongs to erase and audit trim');
  else if (given && (name !== 'audit' || folder !== 'export')) refuse(`--${given} belongs to audit export`);
  else if (withObjects && name !== 'backup') refuse('--with-objects belongs to backup');
  else if (name === 'erase') await runErase([folder, ...others], values.yes === true);
  else if (name === 'audit') await runAudit([folder, ...others], values);
  else if (others.length > 0) refuse(`Unexpected argument "${others[0]}"`);
  else if (name === 'start' && folder !== undefined) refuse(`Unexpected argument "${folder}"`);
  else if (name === 'start') await import('../main.ts');
  else if (name === 'backup') {
    const { backUp } = await import('./backup.ts');
    process.stdout.write(`${await backUp({ config: readConfig(), folder, withObjects, tell })}\n`);
  } else if (folder === undefined) refuse(`${name} needs the folder of a backup`);
  else if (name === 'check') process.stdout.write(`${await (await import('./check.ts')).checkBackup(folder)}\n`);
  else await (await import('./restore.ts')).restore({ config: readConfig(), folder, tell });
}

async function runErase([kind, id, other]: readonly (string | undefined)[], isSure: boolean): Promise<void> {
  if (kind !== 'robot' && kind !== 'org' && kind !== 'list') refuse('erase needs robot <id>, org <id> or list');
  else if (other !== undefined || (kind === 'list' && id !== undefined)) refuse(`Unexpected argument "${other ?? id}"`);
  else if (kind === 'list' && isSure) refuse('--yes belongs to erase robot and erase org');
  else if (kind === 'list')
    process.stdout.write(`${await (await import('./erase.ts')).listErasures({ config: readConfig() })}\n`);
  else if (id === undefined) refuse(`erase ${kind} needs an ID`);
  else if (!isSure) refuse(`This cannot be undone: repeat the line with --yes to erase ${kind} ${id}`);
  else {
    const { erase } = await import('./erase.ts');
    process.stdout.write(`${await erase({ config: readConfig(), kind, id, tell })}\n`);
  }
}

async function runAudit(
  [kind, folder, other]: readonly (string | undefined)[],
  { yes: isSure = false, days, org }: { yes?: boolean; days?: string; org?: string },
): Promise<void> {
  if (kind !== 'export' && kind !== 'trim' && kind !== 'list') refuse('audit needs export, trim or list');
  else if (other !== undefined || (kind === 'list' && folder !== undefined))
    refuse(`Unexpected argument "${other ?? folder}"`);
  else if (isSure && kind !== 'trim') refuse('--yes belongs to erase and audit trim');
  else if (kind === 'export') {
    const { exportAudit } = await import('./audit-export.ts');
    process.stdout.write(`${await exportAudit({ config: readConfig(), folder, days, org, tell })}\n`);
  } else if (kind === 'list')
    process.stdout.write(`${await (await import('./audit-trim.ts')).listTrims({ config: readConfig() })}\n`);
  else if (folder === undefined) refuse('audit trim needs the folder of an export');
  else if (!isSure) refuse(`This cannot be undone: repeat the line with --yes to delete the entries in ${folder}`);
  else {
    const { trimAudit } = await import('./audit-trim.ts');
    process.stdout.write(`${await trimAudit({ config: readConfig(), folder, tell })}\n`);
  }
}

const [first, ...rest] = process.argv.slice(2);
const line = first === 'ui' ? undefined : read();
if (first === 'ui') await (await import('./client.ts')).runClient(['ui', ...rest]);
else if (line) await withSentences(() => run(line));
