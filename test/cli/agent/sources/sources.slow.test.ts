import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logIntake } from '../../../../cli/agent/logs/intake.ts';
import { tokenBucket } from '../../../../cli/agent/logs/token-bucket.ts';
import { execSource } from '../../../../cli/agent/sources/exec.ts';
import { fileSource } from '../../../../cli/agent/sources/file.ts';
import { entryOf, journalSource } from '../../../../cli/agent/sources/journal.ts';
import type { Source, SourceContext } from '../../../../cli/agent/sources/source.ts';
import { troublesOf } from '../../../../cli/agent/troubles.ts';
import type { LogRecord, Position } from '../../../../cli/agent/spool/record.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { testWith } from '../../../support/tools.ts';

/** A spool that only remembers, over restarts of a source. */
function memory() {
  const records: LogRecord[] = [];
  const positions: Record<string, Position> = {};
  const told: string[] = [];
  const lost = { takeLost: () => undefined };
  const note = (source: string, position: Position) => void (positions[source] = position);
  const append = (record: LogRecord, position: Position) => {
    records.push(record);
    if (position !== undefined) note(record.source, position);
  };
  const spool = { append, note, positionOf: (source: string) => positions[source], ...lost };
  const messages = () => records.filter(({ type }) => type === undefined).map(({ message }) => message);
  return {
    records,
    positions,
    told,
    messages,
    /** Runs a source until the block ends. */
    start(begin: (context: SourceContext) => Source) {
      const intake = logIntake(spool);
      const tell = (message: string) => void told.push(message);
      const troubles = troublesOf((_, message) => tell(message));
      const source = begin({ intake, spool, tell, troubles });
      const running = {
        isStopped: false,
        async [Symbol.asyncDispose]() {
          running.isStopped = true;
          await source.stop();
          intake.close();
        },
      };
      return running;
    },
  };
}

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}\n`).join('');

const sees = (messages: () => string[], last: string) =>
  expect.poll(() => messages().at(-1), { interval: 20 }).toBe(last);

test('a file is followed through rename, copytruncate and removal, and nothing comes twice', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'nav.log');
  await writeFile(path, 'old\n');
  const { start, messages, positions } = memory();
  const follow = (context: SourceContext) => fileSource(path, context);
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await expect.poll(() => positions[`file:${path}`]).toBeDefined();
    await appendFile(path, 'a1\na2\n\na3');
    await sees(messages, 'a2');
    await appendFile(path, ' and more\n');
    await sees(messages, 'a3 and more');
    // By rename; the writer still has the old file open for a moment.
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, 'late\nunfinished');
    await writeFile(path, 'b1\n');
    await sees(messages, 'b1');
    // By copying and emptying.
    await copyFile(path, `${path}.2`);
    await truncate(path);
    await appendFile(path, 'c1\n');
    await sees(messages, 'c1');
    await rm(path);
    await writeFile(path, 'd1\n');
    await sees(messages, 'd1');
  }
  const first = ['a1', 'a2', 'a3 and more', 'late', 'unfinished', 'b1', 'c1', 'd1'];
  expect(messages()).toEqual(first);
  // While nobody looks: more in the old file, a rotation, and a new file.
  await appendFile(path, 'd2\n');
  await rename(path, `${path}.1`);
  await writeFile(path, 'e1\n');
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await sees(messages, 'e1');
  }
  // Emptied and written again, longer than before.
  await writeFile(path, 'f1 is another line\nf2\n');
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await sees(messages, 'f2');
  }
  expect(messages()).toEqual([...first, 'd2', 'e1', 'f1 is another line', 'f2']);
});

test('a line of more than 16 KiB, up to a megabyte and beyond, is cut and marked, and so is none after it', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'long.log');
  const { start, messages, records } = memory();
  await using source = start((context) => fileSource(path, context));
  expect(source.isStopped).toBe(false);
  await writeFile(path, `${'ä'.repeat(700_000)}\n${'y'.repeat(16_384)}\nshort\n`);
  await sees(messages, 'short');
  expect(records.map(({ message }) => Buffer.byteLength(message))).toEqual([16_384, 16_384, 5]);
  expect(records.map(({ truncated }) => truncated)).toEqual([true, undefined, undefined]);
});

test('a backlog longer than a burst waits for room, and what is written live beyond the rate is counted', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'busy.log');
  await writeFile(path, '');
  const { start, messages, records, positions } = memory();
  const follow = (context: SourceContext) => fileSource(path, context);
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await expect.poll(() => positions[`file:${path}`]).toBeDefined();
  }
  await writeFile(path, lines('kept', 1300));
  await using source = start(follow);
  expect(source.isStopped).toBe(false);
  await sees(messages, 'kept1299');
  expect(messages().length).toBe(1300);
  await appendFile(path, lines('live', 3000));
  const dropped = () => records.reduce((sum, { dropped: count = 0 }) => sum + count, 0);
  await expect.poll(() => messages().length + dropped()).toBe(4300);
  expect(dropped()).toBeGreaterThan(2000);
});

test('what is written while a backlog is read waits too, and what is written afterwards is live', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'slow.log');
  await writeFile(path, '');
  const { start, messages, records, positions } = memory();
  const follow = (context: SourceContext) => fileSource(path, context);
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await expect.poll(() => positions[`file:${path}`]).toBeDefined();
  }
  const dropped = () => records.reduce((sum, { dropped: count = 0 }) => sum + count, 0);
  await writeFile(path, lines('down', 1200));
  await using source = start(follow);
  expect(source.isStopped).toBe(false);
  await expect.poll(() => messages().length).toBeGreaterThan(1000);
  await appendFile(path, lines('meanwhile', 300));
  await sees(messages, 'meanwhile299');
  expect(messages().length).toBe(1500);
  await appendFile(path, lines('live', 2000));
  await expect.poll(() => messages().length + dropped()).toBe(3500);
  expect(dropped()).toBeGreaterThan(1000);
});

test('a source that writes more than its backlog while that is read is live', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'flood.log');
  await writeFile(path, '');
  const { start, messages, records, positions } = memory();
  const follow = (context: SourceContext) => fileSource(path, context);
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await expect.poll(() => positions[`file:${path}`]).toBeDefined();
  }
  await writeFile(path, lines('down', 1100));
  await using source = start(follow);
  expect(source.isStopped).toBe(false);
  await expect.poll(() => messages().length).toBeGreaterThan(1000);
  await appendFile(path, lines('flood', 20_000));
  const dropped = () => records.reduce((sum, { dropped: count = 0 }) => sum + count, 0);
  await expect.poll(() => messages().length + dropped()).toBe(21_100);
  expect(dropped()).toBeGreaterThan(15_000);
});

test('a file that was written after a rotation while the agent was down waits for room, as does one that was emptied', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'nav.log');
  await writeFile(path, '');
  const { start, messages, records, positions } = memory();
  const follow = (context: SourceContext) => fileSource(path, context);
  {
    await using source = start(follow);
    expect(source.isStopped).toBe(false);
    await expect.poll(() => positions[`file:${path}`]).toBeDefined();
  }
  await appendFile(path, lines('before', 100));
  await rename(path, `${path}.1`);
  await writeFile(path, lines('after', 1100));
  await using source = start(follow);
  expect(source.isStopped).toBe(false);
  await expect.poll(() => messages().length).toBeGreaterThan(1000);
  await truncate(path);
  await appendFile(path, lines('emptied', 300));
  await sees(messages, 'emptied299');
  const expected = ['before', 'after', 'emptied'].map((name) => messages().filter((text) => text.startsWith(name)));
  expect(expected.map(({ length }) => length)).toEqual([100, 1100, 300]);
  expect(records.filter(({ dropped }) => dropped)).toEqual([]);
});

test('a command is started again when it ends, and its children end with it', async () => {
  await using folder = await tempDir();
  const pidFile = join(folder.path, 'pid');
  const { start, messages, records, told } = memory();
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder.path };
  {
    await using source = start((context) =>
      execSource(`echo "level=warn msg=\\"low battery\\" v=7"; echo oops >&2; exit 3`, environment, context),
    );
    expect(source.isStopped).toBe(false);
    await expect.poll(() => messages().length).toBe(4);
  }
  expect(told[0]).toMatch(/ended with 3; restarting it in [12] s$/);
  const [warn] = records.filter(({ message }) => message === 'low battery');
  expect(warn).toMatchObject({ level: 'warn', source: 'exec:echo', fields: { v: '7' } });
  expect(records.find(({ message }) => message === 'oops')).toMatchObject({
    level: 'info',
    fields: { stream: 'stderr' },
  });
  {
    await using source = start((context) => execSource(`sleep 321 & echo $! > ${pidFile}; wait`, environment, context));
    expect(source.isStopped).toBe(false);
    // The shell makes the file a moment before it writes into it.
    await expect.poll(() => existsSync(pidFile) && readFile(pidFile, 'utf8')).toMatch(/^\d+\n$/);
  }
  const pid = (await readFile(pidFile, 'utf8')).trim();
  // Killed with its shell, which alone is waited for: it is about to end, has ended, or is a zombie.
  await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ')).toMatch(/ Z /);
});

test('a bucket lets a burst pass, then its rate', () => {
  let now = 0;
  const bucket = tokenBucket(200, 1000, () => now);
  const taken = () => {
    let count = 0;
    while (bucket.take()) count += 1;
    return count;
  };
  expect(taken()).toBe(1000);
  expect(bucket.msUntilNext()).toBe(5);
  now += 1000;
  expect(taken()).toBe(200);
  now += 3_600_000;
  expect(taken()).toBe(1000);
});

test('a file that is missing, and a folder in its place, are told of once; the file is followed when it appears', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'nav.log');
  const { start, messages, told } = memory();
  await using nowhere = start((context) => fileSource(path, context));
  await using wrong = start((context) => fileSource(folder.path, context));
  expect([nowhere.isStopped, wrong.isStopped]).toEqual([false, false]);
  const reason = 'is missing, not readable or no file; it is waited for';
  await expect.poll(() => [...told].sort()).toEqual([`${folder.path} ${reason}`, `${path} ${reason}`]);
  await writeFile(path, 'first\n');
  await sees(messages, 'first');
  expect(told).toHaveLength(3);
  expect(told.at(-1)).toBe(`${path} is followed now`);
});

test('one gap a second and source tells of what was dropped, by count', async () => {
  const { start, records } = memory();
  let offer: SourceContext['intake'] | undefined;
  await using source = start(({ intake }) => {
    offer = intake;
    return { stop: () => Promise.resolve() };
  });
  expect(source.isStopped).toBe(false);
  const begunAt = performance.now();
  for (const source of ['exec:a', 'exec:b'])
    for (let index = 0; index < 5000; index += 1)
      offer?.offer(source, () => ({ ts: '', level: 'info', source, message: String(index) }));
  const seconds = (performance.now() - begunAt) / 1000;
  const gaps = () => records.filter(({ type }) => type === 'gap');
  await expect.poll(() => gaps().length).toBe(2);
  const ofA = records.filter(({ source, type }) => source === 'exec:a' && !type);
  // A thousand at once, and as many again each second.
  expect(ofA.length).toBeLessThanOrEqual(1010 + 1000 * seconds);
  for (const source of ['exec:a', 'exec:b']) {
    const kept = records.filter((record) => record.source === source && record.type === undefined).length;
    const gap = gaps().find((record) => record.source === source);
    expect(kept + (gap?.dropped ?? 0)).toBe(5000);
    expect(gap).toMatchObject({ level: 'warn', reason: 'rate_limit' });
  }
});

test('an entry of the journal is read whatever its message is', () => {
  const entry = (fields: object) =>
    entryOf(JSON.stringify({ __CURSOR: 's=1', __REALTIME_TIMESTAMP: '1763715600123456', PRIORITY: '3', ...fields }));
  expect(entry({ MESSAGE: 'motor hot', _SYSTEMD_UNIT: 'nav.service', _PID: '812' })).toEqual({
    cursor: 's=1',
    atMs: 1763715600123.456,
    record: {
      ts: '2025-11-21T09:00:00.123456Z',
      level: 'error',
      source: 'journal',
      message: 'motor hot',
      unit: 'nav.service',
      pid: 812,
    },
  });
  expect(entry({ MESSAGE: [104, 105, 255] })?.record.message).toBe('hi\uFFFD');
  expect(entry({ MESSAGE: ['one', 'two'] })?.record.message).toBe('one\ntwo');
  expect(entry({ MESSAGE: null })?.record.message).toBe('');
  expect(entry({ MESSAGE: 'x'.repeat(20_000) })?.record).toMatchObject({ truncated: true });
  expect(entry({ MESSAGE: 'x', PRIORITY: ['3'] })?.record.level).toBe('info');
  const named = entry({ MESSAGE: 'x', SYSLOG_IDENTIFIER: 'n'.repeat(300_000) });
  expect(named?.record.fields).toEqual({ program: 'n'.repeat(256) });
  expect(entryOf('-- No entries --')).toBeUndefined();
});

/** A journalctl that prints these entries and then waits. */
async function fakeJournal(folder: string, entries: object[]): Promise<Record<string, string>> {
  const output = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await writeFile(join(folder, 'entries'), output);
  await writeFile(join(folder, 'journalctl'), '#!/bin/sh\ncat "$ENTRIES"\nexec sleep 60\n', { mode: 0o755 });
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ENTRIES: join(folder, 'entries') };
}
const entryAt = (atMs: number, message: string) => ({
  __CURSOR: message,
  __REALTIME_TIMESTAMP: String(atMs * 1000),
  MESSAGE: message,
});

test('entries after the first of a first start are kept when the clock is set back', async () => {
  await using folder = await tempDir();
  const { start, messages, positions } = memory();
  const hourAgo = Date.now() - 3_600_000;
  const environment = await fakeJournal(
    folder.path,
    ['last', 'one', 'two'].map((text) => entryAt(hourAgo, text)),
  );
  await using source = start((context) => journalSource({ units: [], environment }, context));
  expect(source.isStopped).toBe(false);
  await sees(messages, 'two');
  expect(messages()).toEqual(['one', 'two']);
  expect(positions['journal']).toBe('two');
});

test('entries written while older ones of the journal are read wait for room, whatever the clock says', async () => {
  await using folder = await tempDir();
  const { start, messages, records, positions } = memory();
  positions['journal'] = 'before';
  const atMs = Date.now();
  const entries = Array.from({ length: 1200 }, (_, index) =>
    entryAt(index < 600 ? atMs - 60_000 : atMs + 60_000, `m${index}`),
  );
  const environment = await fakeJournal(folder.path, entries);
  await using source = start((context) => journalSource({ units: [], environment }, context));
  expect(source.isStopped).toBe(false);
  await sees(messages, 'm1199');
  expect(messages().length).toBe(1200);
  expect(records.filter(({ dropped }) => dropped)).toEqual([]);
});

const journald = '/lib/systemd/systemd-journald';
/** Started by hand it needs root and a machine whose journal is nobody else's. */

testWith('systemd-journald', 'root')(
  'the real journal is followed over restarts, without loss or doubles',
  { timeout: 60_000 },
  async () => {
    await mkdir('/run/systemd/journal', { recursive: true });
    const isRunning = existsSync('/run/systemd/journal/socket') && spawnSync('systemd-cat', ['true']).status === 0;
    const daemon = isRunning ? undefined : spawn(journald, [], { stdio: 'ignore' });
    const mark = `fleet${process.pid}`;
    const write = (text: string) =>
      spawnSync('systemd-cat', ['-t', 'navd', '-p', 'warning'], { input: `${mark} ${text}\n` }).status;
    try {
      await expect.poll(() => write('ready')).toBe(0);
      const { start, messages, records, positions } = memory();
      const own = () =>
        messages()
          .filter((message) => message.startsWith(mark))
          .map((message) => message.slice(mark.length + 1))
          .filter((message) => message !== 'ready'); // the daemon may take it after we began to follow
      const environment = { PATH: process.env['PATH'] ?? '' };
      const follow = (context: SourceContext) => journalSource({ units: [], environment }, context);
      {
        await using source = start(follow);
        expect(source.isStopped).toBe(false);
        await expect.poll(() => positions['journal']).toBeDefined();
        write('one');
        await sees(own, 'one');
        expect(records.at(-1)).toMatchObject({ level: 'warn', source: 'journal', fields: { program: 'navd' } });
      }
      for (let index = 0; index < 30; index += 1) write(`down ${index}`);
      await using source = start(follow);
      expect(source.isStopped).toBe(false);
      await sees(own, 'down 29');
      write('two');
      await sees(own, 'two');
      expect(own()).toEqual(['one', ...Array.from({ length: 30 }, (_, index) => `down ${index}`), 'two']);
    } finally {
      daemon?.kill('SIGTERM');
    }
  },
);
