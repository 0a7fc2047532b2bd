/**
 * `npm run test:faults [-- options]`: breaks the parts of a running service one after the other and checks what it promised. How to
 * read it: docs/reference/reliability.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrevious, previousCommit } from '../../support/previous-release.ts';
import { wrongClock } from '../../support/wrong-clock.ts';
import { databaseFaults } from './database-faults.ts';
import { dependencyFaults } from './dependency-faults.ts';
import type { Fault } from './fault.ts';
import { failedText, lossText, seenText } from './figures.ts';
import { lineOf, updatePage } from './page.ts';
import { poolerFaults } from './pooler-faults.ts';
import { replicaFaults } from './replica-faults.ts';
import { runFaults, type FaultResult, type RunSize } from './run.ts';
import { versionFaults } from './version-faults.ts';

const usage = `npm run test:faults -- [options]

  --only TEXT  faults whose names contain the text
  --page       write the results into docs/reference/reliability.md; faults that did not run keep their lines
  --list       print the names of the faults

FAULT_SEED      the seed; default: a new one, which is printed
FAULT_ROBOTS    simulated robots, 1,000 by default
FAULT_STREAMS   live streams, 20 by default
FAULT_PREVIOUS  commit of the previous release, which is built; default: the one of test/support/previous-release.ts
`;
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    page: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const note = (text: string) => process.stdout.write(`${text}\n`);
const numberIn = (name: string, usual: number) => Number(process.env[name] ?? usual);
const size: RunSize = {
  seed: numberIn('FAULT_SEED', Date.now() % 2 ** 31),
  robots: numberIn('FAULT_ROBOTS', 1_000),
  streams: numberIn('FAULT_STREAMS', 20),
  pace: 1,
};
const pagePath = new URL('../../../docs/reference/reliability.md', import.meta.url);

async function main(): Promise<void> {
  await using clock = await wrongClock('+1h');
  const commit = process.env['FAULT_PREVIOUS'] ?? previousCommit;
  const previous = values.list ? '' : join(await buildPrevious(commit), 'dist/server/main.js');
  const all = [
    ...replicaFaults,
    ...dependencyFaults,
    ...databaseFaults,
    ...poolerFaults,
    ...versionFaults(clock, previous),
  ];
  const faults = all.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));
  if (values.list) return faults.forEach(({ name }) => note(name));
  note(`FAULT_SEED=${size.seed}, ${size.robots} robots, ${size.streams} live streams, ${faults.length} faults`);
  await runFaults(faults, size, async (result) => {
    report(result);
    if (values.page) await writePage(result, all);
  });
}

function report({ fault, figures, violations }: FaultResult): void {
  const { disturbedMs, slowestMs } = figures;
  note(`\n${fault.name}`);
  note(`  callers saw  ${seenText(figures)}`);
  note(`  failed       ${failedText(figures)}`);
  note(`  disturbance  ${disturbedMs} ms of at most ${fault.limits.disturbedSeconds} s; slowest call ${slowestMs} ms`);
  note(`  broken       ${lossText(violations)}`);
  for (const { promise, text } of violations.slice(0, 20)) note(`    ${promise}: ${text}`);
  if (violations.length > 0 || disturbedMs > fault.limits.disturbedSeconds * 1_000) process.exitCode = 1;
}

async function writePage(result: FaultResult, all: readonly Fault[]): Promise<void> {
  const page = await readFile(pagePath, 'utf8');
  const names = all.map(({ name }) => name);
  await writeFile(pagePath, updatePage(page, lineOf(result, size, new Date()), names));
}

if (values.help) note(usage);
else await main();
