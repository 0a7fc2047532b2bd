/**
 * Reads what Vitest's JSON reporter wrote and prints, as its last line, the totals: `N passed, N failed`. Fails on a failed test, on none
 * at all, on a file that could not be loaded, and under CI=true on a skipped test: there every real part is at hand.
 *
 * Each failed test comes with the first lines of its message, as the runner's own output may be far above or cut off.
 *
 *   node .ci/check-skips.mjs <report.json>
 */
import { readFile } from 'node:fs/promises';

const [path = ''] = process.argv.slice(2);
const report = await readFile(path, 'utf8').then(JSON.parse, () => undefined);
if (!report) {
  console.error(`there is no test report at ${path}: the test runner did not come to its end`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const tests = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ status, fullName, failureMessages = [] }) => ({
    status,
    title: `${name}: ${fullName}`,
    message: failureMessages.join('\n'),
  })),
);
const of = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
const skipped = of('skipped', 'pending', 'todo', 'disabled');
const broken = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const countsSkips = process.env.CI === 'true';

function printFailure(title, message = '') {
  console.error(`failed: ${title}`);
  const lines = message
    .split('\n')
    .filter((line) => line.trim() !== '' && !/\/node_modules\/|node:internal/.test(line));
  for (const line of lines.slice(0, 4)) console.error(`  ${line.slice(0, 1_000)}`);
}

for (const { title, message } of of('failed')) printFailure(title, message);
for (const { name, message } of broken) printFailure(`${name} could not be loaded`, message);
for (const { title } of skipped) console.error(`skipped: ${title}`);
const failed = of('failed').length + broken.length + (countsSkips ? skipped.length : 0);
const passed = of('passed').length;
// A run that passed nothing is no good run. (An unhandled rejection does not show in the report; the runner's exit code tells of it.)
const outside = failed === 0 && (passed === 0 || !report.success) ? 1 : 0;
console.log(`${passed} passed, ${failed + outside} failed`);
process.exitCode = failed + outside === 0 ? 0 : 1;
