import { appendFile, cp, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogRecord } from '../../../../cli/agent/spool/record.ts';
import { openSpool, type Spool, type SpoolSettings } from '../../../../cli/agent/spool/spool.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const record = (message: string, source = 'exec:x'): LogRecord => ({
  ts: '2026-11-21T09:00:00.000Z',
  level: 'info',
  source,
  message,
});

async function open(parent: string, settings: Partial<SpoolSettings> = {}): Promise<Spool> {
  const quotaBytes = 64 * 1024 * 1024;
  const spool = openSpool({
    parent,
    quotaBytes,
    bootId: 'boot',
    onWritten: () => undefined,
    onIdChanged: () => undefined,
    ...settings,
  });
  await spool.opened;
  return spool;
}

/** Everything that is there to send, with its numbers. */
async function readAll(spool: Spool, maxRecords = 500, maxBytes = 200_000) {
  const records = [];
  for (;;) {
    const batch = await spool.read(maxRecords, maxBytes);
    if (!batch) return records;
    expect(batch.records.length).toBeLessThanOrEqual(maxRecords);
    records.push(...batch.records);
  }
}
const messages = async (spool: Spool) => (await readAll(spool)).map(({ message }) => message);
const directoryOf = async (parent: string) => join(parent, (await readdir(parent))[0] ?? '');
const segmentsOf = async (parent: string) =>
  (await readdir(await directoryOf(parent))).filter((name) => name.endsWith('.ndjson')).sort();

test('what was written is read in order, after a restart what was not acknowledged, and numbers go on', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  for (let index = 0; index < 1200; index += 1) spool.append(record(`m${index}`));
  await spool.flush();
  const { spool: id } = (await spool.read(500, 200_000)) ?? { spool: '' };
  expect((await readAll(spool)).map(({ seq }) => seq)).toEqual(Array.from({ length: 700 }, (_, index) => 501 + index));
  spool.acknowledge(id, 1000);
  spool.acknowledge('another', 1100);
  expect(spool.stats.records).toBe(200);
  await spool.close();
  const again = await open(folder.path);
  expect(again.stats.records).toBe(200);
  again.append(record('new'));
  await again.flush();
  const read = await readAll(again);
  expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 201 }, (_, index) => 1001 + index));
  expect(read.at(-1)?.message).toBe('new');
  again.rewind();
  expect((await readAll(again, 7)).length).toBe(201);
  await again.close();
});

test('a position that waits in front of a new segment takes no record of the one before with it', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  for (const count of [60, 40]) {
    for (let index = 0; index < count; index += 1) spool.append(record('x'.repeat(10_000)));
    await spool.flush();
  }
  for (let offset = 0; offset < 3; offset += 1) spool.note('file:a', offset);
  for (let index = 0; index < 5; index += 1) spool.append(record('y'.repeat(10_000)));
  await spool.flush();
  expect((await segmentsOf(folder.path)).map((name) => Number.parseInt(name, 10))).toEqual([1, 101]);
  spool.acknowledge(basename(await directoryOf(folder.path)), 99);
  spool.rewind();
  expect((await readAll(spool)).map(({ seq }) => seq)).toEqual([100, 101, 102, 103, 104, 105]);
  await spool.close();
  const again = await open(folder.path);
  expect(again.positionOf('file:a')).toBe(2);
  expect((await readAll(again))[0]?.seq).toBe(100);
  await again.close();
});

test('numbers go on after everything was acknowledged, and after a boot some are left out', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  for (let index = 0; index < 10; index += 1) spool.append(record('x'));
  await spool.flush();
  const { spool: id } = (await spool.read(500, 200_000)) ?? { spool: '' };
  spool.acknowledge(id, 10);
  await spool.close();
  const same = await open(folder.path);
  same.append(record('y'));
  await same.flush();
  expect((await readAll(same)).map(({ seq }) => seq)).toEqual([11]);
  await same.close();
  const rebooted = await open(folder.path, { bootId: 'another' });
  expect(rebooted.stats.records).toBe(1);
  rebooted.append(record('z'));
  await rebooted.flush();
  const read = await readAll(rebooted);
  expect(read.map(({ message }) => message)).toEqual(['y', 'z']);
  expect(read[1]?.seq).toBeGreaterThan(5000);
  expect(rebooted.stats.records).toBe(2);
  await rebooted.close();
});

test('a crash at any byte loses no whole line, doubles none, and numbers none twice', async () => {
  await using folder = await tempDir();
  const source = join(folder.path, 'source');
  const spool = await open(source);
  for (let index = 0; index < 40; index += 1) spool.append(record(`${index} ä "quoted"\n`), { line: index });
  await spool.flush();
  await spool.close();
  const directory = await directoryOf(source);
  const [name = ''] = await segmentsOf(source);
  const whole = await readFile(join(directory, name), 'utf8');
  const size = Buffer.byteLength(whole);
  const lines = whole
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.byteLength(line) + 1);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(size),
      fc.boolean(),
      fc.constantFrom('', '\0\0\0', '{"seq":9', 'x\n'),
      async (cut, hasCheckpoint, tail) => {
        const copy = join(folder.path, 'copy');
        await rm(copy, { recursive: true, force: true });
        await cp(source, copy, { recursive: true });
        const own = await directoryOf(copy);
        if (!hasCheckpoint) await rm(join(own, 'ack.json'));
        await truncate(join(own, name), cut);
        await appendFile(join(own, name), tail);
        let end = 0;
        const kept = lines.filter((bytes) => (end += bytes) <= cut).length;
        // A line that lost nothing but its newline is whole only if the tail gives it one; otherwise it is torn.
        const reopened = await open(copy);
        reopened.append(record('new'), { line: 'new' });
        await reopened.flush();
        const read = await readAll(reopened);
        const expected = Array.from({ length: kept }, (_, index) => `${index} ä "quoted"\n`);
        expect(read.map(({ message }) => message)).toEqual([...expected, 'new']);
        const seqs = read.map(({ seq }) => seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
        // Numbers of records that may have been sent before the crash are not given to others.
        if (hasCheckpoint) expect(seqs.at(-1)).toBeGreaterThan(40);
        expect(reopened.positionOf('exec:x')).toEqual({ line: 'new' });
        await reopened.close();
      },
    ),
    { numRuns: 150 },
  );
});

test('a position is that of the last record on disk, however old the checkpoint is', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  spool.append(record('one'), { at: 1 });
  spool.note('file:b', { at: 'b' });
  await spool.flush();
  const directory = await directoryOf(folder.path);
  const old = await readFile(join(directory, 'ack.json'));
  spool.append(record('two'), { at: 2 });
  spool.append(record('three'));
  await spool.close();
  await writeFile(join(directory, 'ack.json'), old);
  const again = await open(folder.path);
  expect(again.positionOf('exec:x')).toEqual({ at: 2 });
  expect(again.positionOf('file:b')).toEqual({ at: 'b' });
  expect(again.positionOf('file:c')).toBeUndefined();
  await again.close();
});

test('segments go when they are acknowledged, and the oldest beyond the quota, counted', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path, { quotaBytes: 3 * 1024 * 1024 });
  const text = 'x'.repeat(10_000);
  const write = async (count: number) => {
    for (let index = 0; index < count; index += 50) {
      for (let step = 0; step < 50; step += 1) spool.append(record(text));
      await spool.flush();
    }
  };
  await write(250);
  expect((await segmentsOf(folder.path)).length).toBe(3);
  expect((await segmentsOf(folder.path))[0]).toBe('0000000000000001.ndjson');
  const { spool: id } = (await spool.read(500, 200_000)) ?? { spool: '' };
  spool.acknowledge(id, 240);
  await spool.flush();
  expect((await segmentsOf(folder.path)).length).toBe(1);
  expect(spool.takeLost()).toBeUndefined();
  await write(1000);
  expect(spool.stats.bytes).toBeLessThanOrEqual(4 * 1024 * 1024);
  const lost = spool.takeLost();
  expect(lost).toMatchObject({ reason: 'quota' });
  const left = await readAll(spool);
  // Nothing is missing that was not told of.
  expect((lost?.dropped ?? 0) + left.length).toBe(1010);
  expect(left.at(-1)?.seq).toBe(1250);
  expect(spool.stats).toMatchObject({ dropped: lost?.dropped, records: left.length });
  await spool.close();
});

test('damage in the middle costs the damaged lines alone', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  for (let index = 0; index < 5; index += 1) spool.append(record(`m${index}`));
  await spool.close();
  const path = join(await directoryOf(folder.path), '0000000000000001.ndjson');
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines[2] = '\0'.repeat(lines[2]?.length ?? 0);
  await writeFile(path, lines.join('\n'));
  const again = await open(folder.path);
  expect(await messages(again)).toEqual(['m0', 'm1', 'm3', 'm4']);
  expect(again.takeLost()).toMatchObject({ dropped: 1, reason: 'damaged' });
  await again.close();
});

/** Something that no read gets through. */
async function breakSegment(parent: string, at: number): Promise<void> {
  const path = join(await directoryOf(parent), (await segmentsOf(parent)).at(at) ?? '');
  await rm(path);
  await mkdir(path);
}

test('a segment that cannot be read is told of, counted after some attempts, and what follows is read', async () => {
  await using folder = await tempDir();
  const faults: string[] = [];
  let wakes = 0;
  const spool = await open(folder.path, {
    onFault: (reason, work) => void faults.push(`${work} ${reason}`),
    onWell(work) {
      if (work === 'reading') faults.push('well');
    },
    onWritten: () => void (wakes += 1),
  });
  for (let batch = 0; batch < 5; batch += 1) {
    for (let index = 0; index < 50; index += 1) spool.append(record('x'.repeat(10_000)));
    await spool.flush();
  }
  expect((await segmentsOf(folder.path)).map((name) => Number.parseInt(name, 10))).toEqual([1, 101, 201]);
  await breakSegment(folder.path, 1);
  const before = wakes;
  const seqs: number[] = [];
  const readOn = async () => seqs.push(...(await readAll(spool)).map(({ seq }) => seq));
  await readOn();
  expect(seqs).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(faults.at(-1)).toMatch(/^reading EISDIR/);
  await expect
    .poll(async () => {
      await readOn();
      return seqs.at(-1);
    })
    .toBe(250);
  expect(seqs.slice(100)).toEqual(Array.from({ length: 50 }, (_, index) => index + 201));
  // The sender is woken for each new attempt.
  expect(wakes - before).toBe(2);
  expect(faults.at(-1)).toBe('well');
  expect(spool.takeLost()).toMatchObject({ dropped: 100, reason: 'damaged' });
  // A new link begins again with what was not acknowledged.
  spool.rewind();
  seqs.length = 0;
  await expect
    .poll(async () => {
      await readOn();
      return seqs.at(-1);
    })
    .toBe(250);
  expect(spool.takeLost()).toBeUndefined();
  await spool.close();
});

test('a last segment that cannot be read at the start is put aside and counted, and its numbers are not used again', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  for (let index = 0; index < 10; index += 1) spool.append(record(`m${index}`), { line: index });
  await spool.flush();
  spool.acknowledge(basename(await directoryOf(folder.path)), 4);
  await spool.close();
  await breakSegment(folder.path, -1);
  const again = await open(folder.path);
  expect(again.positionOf('exec:x')).toEqual({ line: 9 });
  again.append(record('new'));
  await again.flush();
  const [read, ...others] = await readAll(again);
  expect(read).toMatchObject({ message: 'new' });
  expect(read?.seq).toBeGreaterThan(5000);
  expect(others).toEqual([]);
  expect(again.takeLost()).toMatchObject({ dropped: 6, reason: 'damaged' });
  await again.close();
});

test('a record that no frame can hold is dropped and counted once, and those around it are read', async () => {
  await using folder = await tempDir();
  const spool = await open(folder.path);
  spool.append(record('one'));
  spool.append({ ...record('large'), fields: { program: 'n'.repeat(300_000) } });
  spool.append(record('two'));
  await spool.flush();
  expect(await messages(spool)).toEqual(['one', 'two']);
  expect(spool.takeLost()).toMatchObject({ dropped: 1, reason: 'quota', why: 'they are larger than a frame' });
  spool.rewind();
  expect(await messages(spool)).toEqual(['one', 'two']);
  expect(spool.takeLost()).toBeUndefined();
  await spool.close();
});

test('a folder that was deleted is made anew with another id, and what was in it is told of', async () => {
  await using folder = await tempDir();
  const parent = join(folder.path, 'spool');
  const spool = await open(parent);
  spool.append(record('one'));
  await spool.flush();
  const before = await spool.read(500, 200_000);
  await rm(parent, { recursive: true });
  spool.append(record('two'));
  await spool.flush();
  await spool.flush();
  spool.append(record('three'));
  await spool.flush();
  const after = await spool.read(500, 200_000);
  expect(after?.spool).not.toBe(before?.spool);
  expect(after?.records.at(-1)?.message).toBe('three');
  const lost = spool.takeLost()?.dropped ?? 0;
  expect(lost + (after?.records.length ?? 0)).toBe(3);
  expect((await stat(parent)).mode & 0o777).toBe(0o700);
  await spool.close();
});

test('a deleted folder that cannot be made anew at once is counted once', async () => {
  await using folder = await tempDir();
  const parent = join(folder.path, 'spool');
  const faults: string[] = [];
  const spool = await open(parent, { onFault: (reason) => void faults.push(reason) });
  spool.append(record('one'));
  await spool.flush();
  await rm(parent, { recursive: true });
  // It leads nowhere: what is looked for there is missing, and nothing can be made.
  await symlink(join(folder.path, 'gone', 'spool'), parent);
  spool.append(record('two'));
  for (let round = 0; round < 3; round += 1) await spool.flush();
  expect(faults.length).toBeGreaterThanOrEqual(3);
  spool.append(record('three'));
  await rm(parent);
  await spool.flush();
  const kept = await messages(spool);
  expect(kept.at(-1)).toBe('three');
  expect((spool.takeLost()?.dropped ?? 0) + kept.length).toBe(3);
  await spool.close();
});

test('a record that the disk cannot take waits in memory up to 1 MiB, and is counted beyond', async () => {
  await using folder = await tempDir();
  const parent = join(folder.path, 'spool');
  // A file where a folder should be: nothing can be written, whoever asks.
  await writeFile(parent, '');
  const spool = await open(parent);
  for (let index = 0; index < 200; index += 1) spool.append(record('x'.repeat(10_000)));
  await spool.flush();
  const { records, dropped } = spool.stats;
  expect(records).toBeGreaterThan(95);
  expect(records + dropped).toBe(200);
  expect(spool.takeLost()).toBeUndefined();
  await rm(parent);
  await spool.flush();
  expect(spool.takeLost()).toMatchObject({ dropped, reason: 'quota' });
  const read = await readAll(spool);
  expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: records }, (_, index) => index + 1));
  await spool.close();
});

test('a spool that the service knows with higher numbers goes on under another id, with what is not acknowledged', async () => {
  await using folder = await tempDir();
  const changed: string[][] = [];
  const onIdChanged = (...ids: string[]) => void changed.push(ids);
  const spool = await open(folder.path, { onIdChanged });
  for (let line = 1; line <= 4; line += 1) spool.append(record(`line ${line}`));
  await spool.flush();
  const batch = await spool.read(500, 200_000);
  const before = batch?.spool ?? '';
  spool.acknowledge(before, 2);
  spool.acknowledge(before, 900);
  // It says the same of each frame that was on its way.
  spool.acknowledge(before, 901);
  await expect.poll(() => changed).toHaveLength(1);
  expect(changed[0]?.[0]).toBe(before);
  const again = await spool.read(500, 200_000);
  expect(again?.spool).toBe(changed[0]?.[1]);
  expect(again?.records.map(({ seq }) => seq)).toEqual([3, 4]);
  await spool.close();
  const next = await open(folder.path);
  expect(await next.read(500, 200_000)).toEqual(again);
  await next.close();
});

test('records that were skipped although they were never sent before go on under another id, and others do not', async () => {
  await using folder = await tempDir();
  const first = await open(folder.path);
  for (let line = 1; line <= 2; line += 1) first.append(record(`line ${line}`));
  await first.close();
  const changed: string[][] = [];
  const spool = await open(folder.path, { onIdChanged: (...ids) => void changed.push(ids) });
  for (let line = 3; line <= 6; line += 1) spool.append(record(`line ${line}`));
  await spool.flush();
  const { spool: id } = (await spool.read(500, 200_000)) ?? { spool: '' };
  spool.skipped(id, 2, 0); // another process may have sent it
  spool.skipped(id, 4, 4); // it was sent on an earlier link
  await spool.flush();
  expect(changed).toEqual([]);
  spool.skipped(id, 5, 4);
  spool.acknowledge(id, 6);
  await expect.poll(() => changed).toHaveLength(1);
  const again = await spool.read(500, 200_000);
  expect(again?.records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  await spool.close();
});
