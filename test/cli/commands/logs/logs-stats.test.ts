import { expect, test } from 'vitest';
import { localMinute } from '../../../../cli/output/time.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { countLines, daysAgoMs, type CountedLines } from '../../../support/log-counts.ts';
import { startWorld } from '../../../support/world.ts';

const noonMs = daysAgoMs(2) + 43_200_000;
const at = (minutes: number) => new Date(noonMs + minutes * 60_000).toISOString();
const range = ['--since', at(0), '--until', at(120)];

async function startScene() {
  const world = await startWorld();
  const home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  const [first, second] = [await make.robot('amr-007', key), await make.robot('amr-008', key)];
  const elsewhere = await make.robot('amr-009', await make.key());
  const lines = (robot: typeof first, minutes: number, more: Partial<CountedLines>): CountedLines => ({
    robotId: robot.robot_id,
    fleetId: robot.fleet_id,
    atMs: noonMs + minutes * 60_000,
    ...more,
  });
  await countLines(
    world,
    [
      lines(first, 0, { lines: 1_200 }),
      lines(first, 60, { lines: 300, source: 'nav', level: 'warn' }),
      lines(first, 110, { lines: 3, level: 'error' }),
      lines(second, 0, { lines: 90 }),
      lines(elsewhere, 30, { lines: 7 }),
    ],
    new Date(noonMs + 115 * 60_000),
  );
  const stats = (...flags: string[]) => home.cli(['logs', '--stats', ...range, ...flags]);
  return {
    world,
    home,
    stats,
    first,
    elsewhere,
    lines,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('cli logs --stats prints a row for each robot or source with its course, and the total', async () => {
  await using scene = await startScene();
  const table = async (...flags: string[]) => {
    const { stdout, code } = await scene.stats('-o', 'table', ...flags);
    expect(code).toBe(0);
    return stdout.trimEnd().split('\n');
  };
  expect(await table('--by', 'robot')).toEqual([
    expect.stringMatching(/^ROBOT +LINES +BYTES +WARN +ERROR +FATAL +TREND$/),
    expect.stringMatching(/^amr-007 +1,503 +\d+ KiB +300 +3 +0 +█ {5}▃ {4}▁$/),
    expect.stringMatching(/^amr-008 +90 +[\d.]+ KiB +0 +0 +0 +█$/),
    expect.stringMatching(/^amr-009 +7 +\d+ B +0 +0 +0 {9}█$/),
    expect.stringMatching(/^total +1,600 +\d+ KiB +300 +3 +0 +█ {2}▁ {2}▂ {4}▁$/),
  ]);
  expect(await table('--by', 'source', '--robot', 'amr-007')).toEqual([
    expect.stringContaining('SOURCE'),
    expect.stringMatching(/^journal +1,203 /),
    expect.stringMatching(/^nav +300 /),
    expect.stringMatching(/^total +1,503 /),
  ]);
  expect(await table('--step', '1h', '--source', 'nav')).toEqual([
    expect.stringMatching(/^LINES +BYTES/),
    expect.stringMatching(/^300 .* {2} █$/),
  ]);
});

test('the peak of each row and of the total has its time', async () => {
  await using scene = await startScene();
  const peaks = async (...flags: string[]) => (await scene.stats('--fields', 'lines,peak,peak_at', ...flags)).stdout;
  expect(await peaks('--by', 'robot')).toBe(
    `1503\t1200\t${at(0)}\n90\t90\t${at(0)}\n7\t7\t${at(30)}\n1600\t1290\t${at(0)}\n`,
  );
  expect(await peaks('--step', '1h', '--source', 'nav')).toBe(`300\t300\t${at(60)}\n`);
  const wide = (await scene.stats('--by', 'source', '-o', 'wide')).stdout.split('\n');
  expect(wide.find((line) => line.startsWith('nav '))).toMatch(/ 300 .* 300 /);
  expect(wide.find((line) => line.startsWith('nav '))?.endsWith(localMinute(at(60)))).toBe(true);
  const drawn = await scene.home.cli(['logs', '--stats', ...range, '--no-pager'], { columns: 200 });
  expect(drawn.stdout).toContain(`Peak of the total: 1,290 at ${localMinute(at(0))}.`);
});

test('the statistics are of the fleet, site, robot and time that the flags name', async () => {
  await using scene = await startScene();
  const { first, elsewhere } = scene;
  const lines = async (...flags: string[]) => (await scene.stats('--fields', 'lines', ...flags)).stdout.trim();
  expect(await lines()).toBe('1600');
  expect(await lines('--fleet', first.fleet_id)).toBe('1593');
  expect(await lines('--site', elsewhere.site_id)).toBe('7');
  expect(await lines('--robot', 'amr-008')).toBe('90');
  expect(await lines('--robot', 'amr-008', '--fleet', elsewhere.fleet_id)).toBe('');
  expect((await scene.home.cli(['logs', '--stats', '--since', at(60), '--fields', 'lines'])).stdout).toBe('303\n');
  expect((await scene.home.cli(['logs', '--stats', '-o', 'table'])).stdout).toBe('');
});

test('other formats have all counts; --json is the body of the API', async () => {
  await using scene = await startScene();
  const tsv = await scene.stats('--by', 'source');
  const [source, lines, bytes, debug, info, warn, error, fatal, trend, row] =
    tsv.stdout.split('\n')[0]?.split('\t') ?? [];
  expect([source, lines, debug, info, warn, error, fatal, row]).toEqual([
    'journal',
    '1300',
    '0',
    '1297',
    '0',
    '3',
    '0',
    'series',
  ]);
  expect(Number(bytes)).toBeGreaterThan(100_000);
  expect(JSON.parse(trend ?? '')).toEqual([1_290, null, null, 7, null, null, null, null, null, null, null, 3]);
  expect(tsv.stderr).toBe('');
  const names = await scene.stats('--by', 'source', '-o', 'name');
  expect(names.stdout).toBe('journal\nnav\ntotal\n');
  const json = JSON.parse((await scene.stats('--by', 'robot', '--json')).stdout);
  expect(json.data).toMatchObject({ start_at: at(0), end_at: at(120), step: '10m', total: { lines: 1_600 } });
  expect(json.data.series).toHaveLength(3);
});

test('what selects single records and what counts them exclude each other', async () => {
  await using scene = await startScene();
  for (const flags of [
    ['--follow'],
    ['--grep', 'x'],
    ['--level', 'warn'],
    ['--tail', '3'],
    ['--order', 'asc'],
    ['--cursor', 'x'],
  ]) {
    const { code, stderr } = await scene.stats(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${flags[0]} and --stats exclude each other`)]);
  }
  const { code, stderr } = await scene.home.cli(['logs', '--by', 'robot']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--by requires --stats')]);
});
