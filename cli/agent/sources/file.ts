import { stat } from 'node:fs/promises';
import { limits } from '../../../generated/protocol.js';
import { lineSplitter, type Line } from '../logs/lines.ts';
import { recordOf } from '../logs/parse.ts';
import {
  digestOf,
  findPlace,
  isHeadWhole,
  isStillThere,
  openFile,
  placeOf,
  positionOf,
  readHead,
  type OpenFile,
} from './file-place.ts';
import { abortableSleep, type Source, type SourceContext } from './source.ts';

/** How often to check a file. */
const lookEveryMs = 500;
const readBytes = 64 * 1024;

/**
 * Follows a file by its name through rotations, both by rename and by copy and truncate. Lines written while the agent
 * was down, and while it reads those, wait for the rate that the intake allows. Without a stored position it starts at
 * the end; a file that appears later is read from 0.
 *
 * States: missing → open, at an offset → [another file has the name: read to its end] → open, the new file at 0 …
 */
export function fileSource(path: string, { intake, spool, troubles }: SourceContext): Source {
  const source = `file:${path}`;
  const buffer = Buffer.alloc(readBytes);
  const pause = abortableSleep();
  let file: OpenFile | undefined;
  /** The end of the last line taken, and of the bytes read. */
  let at = { offset: 0, read: 0, head: '' };
  /** Until everything is read, lines wait for room instead of being dropped. */
  let isBehind = true;
  /** What was to be read of the file when it was opened. */
  let backlogBytes = 0;
  /** The mtime at the last read: a file that was truncated and written again can have the same size. */
  let changedAtMs = -1;
  let lines = lineSplitter(limits.maxMessageBytes);

  async function begin(): Promise<void> {
    const place = placeOf(spool.positionOf(source));
    const known = place && (await findPlace(path, place));
    const first = known ?? (await openFile(path));
    const size = first ? (await first.handle.stat()).size : 0;
    // If the known file is missing, it was rotated away: the file with its name now is new from its first byte.
    if (first) await enter(first, known ? place.offset : place ? 0 : size);
  }

  /** Also takes the same file again after it was truncated. */
  async function enter(opened: OpenFile, offset: number): Promise<void> {
    if (file && file.handle !== opened.handle) await file.handle.close();
    file = opened;
    at = { offset, read: offset, head: digestOf(await readHead(opened), offset) };
    backlogBytes = (await opened.handle.stat()).size - offset;
    lines = lineSplitter(limits.maxMessageBytes);
    spool.note(source, positionOf({ ...opened, ...at }));
  }

  async function look(): Promise<void> {
    if (!file) {
      const appeared = await openFile(path);
      if (!appeared) return;
      await enter(appeared, 0);
      troubles.over(source, `${path} is followed now`);
    }
    if (!file) return;
    await readOn(file);
    const named = await stat(path).catch(() => undefined);
    if (!named) return;
    if (named.ino === file.ino && named.dev === file.dev) {
      // A file that was emptied meanwhile is read again.
      if (named.size >= at.read) isBehind = false;
      return;
    }
    // Lines written between that read and the rename are there by now, and no more follow.
    await readOn(file);
    takeRest();
    const next = await openFile(path);
    if (!next) return;
    await enter(next, 0);
    await readOn(next);
  }

  async function readOn(open: OpenFile): Promise<void> {
    const { size, mtimeMs } = await open.handle.stat();
    if (size === at.read && mtimeMs === changedAtMs) return;
    changedAtMs = mtimeMs;
    if (size < at.read || !(await isStillThere(open, at))) {
      takeRest();
      await enter(open, 0);
    }
    for (;;) {
      const { bytesRead } = await open.handle.read(buffer, 0, readBytes, at.read);
      if (bytesRead === 0) return;
      // A source that doubles its backlog meanwhile writes faster than it may.
      isBehind &&= (await open.handle.stat()).size - at.read <= 2 * Math.max(backlogBytes, readBytes);
      const head = isHeadWhole(at.offset) ? undefined : await readHead(open);
      at.read += bytesRead;
      for (const line of lines.push(buffer.subarray(0, bytesRead))) {
        if (isBehind) await intake.room(source);
        if (pause.isOver()) return;
        take(open, line, head);
      }
    }
  }

  function take(open: OpenFile, { text, bytes, isCut }: Line, head?: Buffer): void {
    at.offset += bytes;
    if (head) at.head = digestOf(head, at.offset);
    if (text !== '') intake.offer(source, () => recordOf(source, text, isCut), positionOf({ ...open, ...at }));
  }

  /** Takes a last line without a newline, once nothing can follow it. */
  function takeRest(): void {
    const rest = lines.rest();
    if (rest && rest.text !== '') intake.offer(source, () => recordOf(source, rest.text, rest.isCut));
  }

  const begun = begin().catch(() => undefined);
  const ended = (async () => {
    await begun;
    // It may appear later; a mistyped path never does.
    if (!file) troubles.is(source, `${path} is missing, not readable or no file; it is waited for`);
    while (!pause.isOver()) {
      // A disk error may be gone at the next check.
      await look().catch(() => undefined);
      await pause.for(lookEveryMs);
    }
    await file?.handle.close();
  })();

  return {
    begun,
    stop() {
      pause.end();
      return ended;
    },
  };
}
