import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shown, type, pressAll } from '../../../support/ui-desk.ts';
import { handUi, listing, logLines, robotNamed } from '../../../support/hand-ui.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { csvLine } from '../../../../cli/output/csv.ts';

/** What the robots are saved as, under that name, once the form is left. */
async function saveAs(hand: Pick<ReturnType<typeof handUi>, 'ui'>, path: string): Promise<string> {
  pressAll(hand, 'E', 'ctrl-u');
  type(hand, path);
  pressAll(hand, 'enter');
  await expect.poll(() => hand.ui.overlay.get()).toBeUndefined();
  return readFile(path, 'utf8');
}

function robots() {
  const hand = handUi({ screen: 'robots', filter: 'amr' });
  const seen = '2026-11-21T09:00:00.000Z';
  hand.feeds.fleets.feed(listing([{ id: 'fleet', name: 'Pick "ers", 2' } as never]));
  hand.feeds.robots.feed(
    listing([
      robotNamed('amr-2', { last_seen_at: seen }),
      robotNamed('amr-1', { last_seen_at: seen, online: false }),
      robotNamed('drone'),
    ]),
  );
  return hand;
}

test('a list is saved as CSV: what the filter leaves, in the order it is shown, all columns, times in full; nobody else reads it', async () => {
  await using folder = await tempDir();
  const hand = robots();
  pressAll(hand, 'O');
  const path = join(folder.path, 'all.csv');
  expect(await saveAs(hand, path)).toBe(
    [
      'name,state,fleet,site,release,seen,labels,enrolled,id',
      'amr-2,online,"Pick ""ers"", 2",,,2026-11-21T09:00:00.000Z,,2026-11-21T09:00:00.000Z,id-amr-2',
      'amr-1,offline,"Pick ""ers"", 2",,,2026-11-21T09:00:00.000Z,,2026-11-21T09:00:00.000Z,id-amr-1\n',
    ].join('\n'),
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(hand.ui.notice.get()?.text).toBe(`2 robots saved to ${path}`);
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
  const hand = robots();
  pressAll(hand, 'E');
  expect(shown(hand)).toMatch(/robots-\d{8}T\d{6}Z\.csv/);
  pressAll(hand, 'ctrl-u', 'x', 'enter');
  expect(shown(hand)).toContain('it has to end in .csv or .jsonl');
  pressAll(hand, 'ctrl-u');
  type(hand, path);
  pressAll(hand, 'enter');
  await expect.poll(() => shown(hand)).toContain('already.');
  expect(await readFile(path, 'utf8')).toBe('mine');
});

test('live logs are saved with whose each line is, and where nothing is listed that is said', async () => {
  await using folder = await tempDir();
  const hand = handUi({ screen: 'robot', robotId: 'id-amr-007' });
  hand.feeds.robots.feed(listing([robotNamed('amr-007')]));
  pressAll(hand, 'E');
  expect(hand.ui.notice.get()?.text).toContain('nothing is listed here');
  hand.ui.views.setTab('Logs');
  hand.tail.add(logLines(1, 1, { text: '\u001b[2J' }));
  expect(await saveAs(hand, join(folder.path, 'logs.csv'))).toBe(
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
