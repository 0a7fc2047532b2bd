import { dayMs } from './model.ts';

/**
 * Days that one statement spans: it opens and locks every day it may need. The first span is enough for most readers.
 * The others keep the number of statements small if logs are kept for years.
 */
const spanDays = [2, 7, 30] as const;

interface Span {
  sinceMs: number;
  untilMs: number | undefined;
}

interface Bounds {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/** Spans of whole days, backwards from the latest to the bound of the filter or the oldest day. */
export async function* spansBack(
  { sinceMs = 0, untilMs }: Bounds,
  oldestMs: () => Promise<number | undefined>,
): AsyncGenerator<Span> {
  let endMs = untilMs;
  let floorMs = sinceMs;
  for (let step = 0; ; step += 1) {
    // By our own clock, which may differ from the database's. So the first span has no end, and the others follow from
    // its start.
    const latestMs = Math.min(endMs ?? Infinity, Date.now());
    const days = (spanDays[Math.min(step, spanDays.length - 1)] ?? 1) * dayMs;
    const startMs = Math.max(floorMs, Math.ceil(latestMs / dayMs) * dayMs - days);
    yield { sinceMs: startMs, untilMs: endMs };
    if (step === 0) floorMs = Math.max(floorMs, (await oldestMs()) ?? Infinity);
    if (startMs <= floorMs) return;
    endMs = startMs;
  }
}

/** Forwards from an instant; the last span has no end unless the reader set one. */
export function* spansOnward(startMs: number, untilMs: number | undefined): Generator<Span> {
  let sinceMs = startMs;
  for (let step = 0; ; step += 1) {
    const days = (spanDays[Math.min(step, spanDays.length - 1)] ?? 1) * dayMs;
    const endMs = Math.floor(sinceMs / dayMs) * dayMs + days;
    const isLast = endMs >= Math.min(untilMs ?? Infinity, Date.now());
    yield { sinceMs, untilMs: isLast ? untilMs : endMs };
    if (isLast) return;
    sinceMs = endMs;
  }
}
