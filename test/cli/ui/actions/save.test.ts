import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shown, type, pressAll } from '../../../support/ui-data-harness.ts';
import { fakeUi, logLines, robotNamed } from '../../../support/fake-ui.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { csvLine } from '../../../../cli/output/csv.ts';

/** What the robots are saved as, under that name, once the form is left. */
async function saveAs(fake: Pick<ReturnType<typeof fakeUi>, 'ui'>, path: string): Promise<string> {
  pressAll(fake, 'E', 'ctrl-u');
  type(fake, path);
  pressAll(fake, 'enter');
  await expect.poll(() => fake.ui.overlay.get()).toBeUndefined();
  return readFile(path, 'utf8');
}

function robots() {
  const fake = fakeUi({ place: { screen: 'robots', filter: 'amr' } });
  const seen = '2026-11-21T09:00:00.000Z';
  fake.feeds.fleets.fill([{ id: 'fleet', name: 'Pick "ers", 2' } as never]);
  fake.feeds.robots.fill([
    robotNamed('amr-2', { last_seen_at: seen }),
    robotNamed('amr-1', { last_seen_at: seen, online: false }),
    robotNamed('drone'),
  ]);
  return fake;
}

test('a list is saved as CSV: what the filter leaves, in the order it is shown, all columns, times in full; nobody else reads it', async () => {
  await using folder = await tempDir();
  const fake = robots();
  pressAll(fake, 'O');
  const path = join(folder.path, 'all.csv');
  expect(await saveAs(fake, path)).toBe(
    [
      'name,state,fleet,site,release,seen,labels,enrolled,id,problems',
      'amr-2,online,"Pick ""ers"", 2",,,2026-11-21T09:00:00.000Z,,2026-11-21T09:00:00.000Z,id-amr-2,',
      'amr-1,offline,"Pick ""ers"", 2",,,2026-11-21T09:00:00.000Z,,2026-11-21T09:00:00.000Z,id-amr-1,\n',
    ].join('\n'),
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(fake.ui.notice.get()?.text).toBe(`2 robots saved to ${path}`);
});

test('by the end of its name it is a JSON object a line', async () => {
  await using folder = await tempDir();
  const lines = (await saveAs(robots(), join(folder.path, 'all.jsonl'))).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { name: 'amr-1', state: 'offline' },
    { name: 'amr-2', state: 'online', fleet: 'Pick "ers", 2', seen: '2026-11-21T09:00:00.000Z' },
  ]);
});

test('a file that is there stays as it is, and a name that says no format is not taken', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'mine.csv');
  await writeFile(path, 'mine');
  const fake = robots();
  pressAll(fake, 'E');
  expect(shown(fake)).toMatch(/robots-\d{8}T\d{6}Z\.csv/);
  pressAll(fake, 'ctrl-u', 'x', 'enter');
  expect(shown(fake)).toContain('it must end in .csv or .jsonl');
  pressAll(fake, 'ctrl-u');
  type(fake, path);
  pressAll(fake, 'enter');
  await expect.poll(() => shown(fake)).toContain('already exists.');
  expect(await readFile(path, 'utf8')).toBe('mine');
});

test('live logs are saved with whose each line is, and where nothing is listed that is said', async () => {
  await using folder = await tempDir();
  const fake = fakeUi({ place: { screen: 'robot', robotId: 'id-amr-007' } });
  fake.feeds.robots.fill([robotNamed('amr-007')]);
  pressAll(fake, 'E');
  expect(fake.ui.notice.get()?.text).toContain('this view has no list');
  fake.ui.views.setTab('Logs');
  fake.tail.add(logLines(1, 1, { text: '\u001b[2J' }));
  expect(await saveAs(fake, join(folder.path, 'logs.csv'))).toBe(
    'at,robot,level,source,message\n2026-11-21T09:00:00.000Z,amr-007,info,journal,line 1␛[2J\n',
  );
});

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['@cmd', "'@cmd"],
  ['-5', '-5'],
  ['+1.5', '+1.5'],
  ['-1+2', "'-1+2"],
  ['- ', `"'- "`],
  ['a\nb', '"a\nb"'],
  ['plain text', 'plain text'],
])('the cell %j of a spreadsheet is text', (text, cell) => {
  expect(csvLine([text])).toBe(cell);
});
