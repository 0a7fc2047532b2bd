/** `npx tsx test/bench/simulation/main.ts`: plays a million robots in cells, and writes the table of docs/explanation/scale.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { replaceSection } from '../harness/section.ts';
import { simulationTable } from './table.ts';

const page = 'docs/explanation/scale.md';
await writeFile(page, replaceSection(await readFile(page, 'utf8'), 'simulation', simulationTable));
