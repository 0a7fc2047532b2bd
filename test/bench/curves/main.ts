/**
 * `npm run curves [-- CURVE… --quick]`: measures how costs grow, draws each curve into docs/reference/curves/, and writes its figures with the
 * date and the machine into docs/reference/performance.md. The built product counts: `npm run build` first. `--quick` prints
 * the figures of a small form, where a curve has one, and writes nothing.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { projectPath } from '../harness/child.ts';
import { runRow } from '../harness/row-runs.ts';
import { replaceSection } from '../harness/section.ts';
import { drawChart } from './chart.ts';
import type { CurveAnswer, CurveJob } from './curve.ts';
import { curves } from './index.ts';
import { sectionOf } from './page.ts';

const page = projectPath('docs/reference/performance.md');
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = wanted.filter((id) => !curves.some((curve) => curve.id === id));
const note = (text: string) => process.stderr.write(`${text}\n`);

if (unknown.length > 0) {
  note(`no curve ${unknown.join(', ')}; there are ${curves.map(({ id }) => id).join(', ')}`);
  process.exitCode = 2;
} else {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  for (const { id } of curves) {
    if (ending.signal.aborted || (wanted.length > 0 && !wanted.includes(id))) continue;
    note(id);
    await measure(id, ending.signal);
  }
}

async function measure(id: string, signal: AbortSignal): Promise<void> {
  const load = loadavg()[0] ?? 0;
  const script = projectPath('dist/bench/curves/curve-process.js');
  const answer = await runRow<CurveAnswer>(script, { id, isQuick: values.quick } satisfies CurveJob, signal);
  if ('failure' in answer) {
    note(`${id}: ${answer.failure}`);
    process.exitCode = 1;
    return;
  }
  const section = sectionOf(id, answer.chart, { at: new Date(), cores: cpus().length, load });
  if (values.quick) {
    process.stdout.write(`${section}\n`);
    return;
  }
  await writeFile(projectPath(`docs/reference/curves/${id}.svg`), drawChart(answer.chart));
  const changed = replaceSection(await readFile(page, 'utf8'), `curve ${id}`, () => section);
  await writeFile(page, await format(changed, { ...(await resolveConfig(page)), filepath: page }));
}
