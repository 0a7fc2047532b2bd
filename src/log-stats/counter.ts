import { maxNamedSources, noCounts, otherSources, slotMs, type Counts, type SlotCounts } from './model.ts';

const levelMark = '"level":"';
const sourceMark = '"source":"';
const quote = 0x22;
const backslash = 0x5c;

interface Source {
  name: string; // as in JSON
  counts: Counts;
}

/** What one robot sent as part of one fleet within one slot. */
interface Slot {
  robotId: string;
  fleetId: string;
  number: number; // of the slot, since 1970
  sources: Source[];
}

/**
 * Counts stored log records. It reads two members of a line without parsing it: a line is a record as
 * JSON.stringify writes it, and neither name is in what comes before them.
 */
export function createLogCounter() {
  const byRobot = new Map<string, Slot[]>(); // the latest at the end
  let last: Slot | undefined;

  function slotOf(robotId: string, fleetId: string, number: number): Slot {
    const slots = byRobot.get(robotId);
    const known = slots?.findLast((slot) => slot.number === number && slot.fleetId === fleetId);
    if (known) return known;
    const slot = { robotId, fleetId, number, sources: [] };
    if (slots) slots.push(slot);
    else byRobot.set(robotId, [slot]);
    return slot;
  }

  return {
    /** `line`: one record, without its line feed. */
    add(robotId: string, fleetId: string, receivedAtMs: number, line: string): void {
      const number = Math.floor(receivedAtMs / slotMs);
      if (!last || last.robotId !== robotId || last.number !== number || last.fleetId !== fleetId)
        last = slotOf(robotId, fleetId, number);
      const levelAt = line.indexOf(levelMark) + levelMark.length;
      const sourceAt = line.indexOf(sourceMark, levelAt) + sourceMark.length;
      const counts = countsOf(last.sources, line, sourceAt);
      counts.lines += 1;
      counts.bytes += Buffer.byteLength(line);
      countLevel(counts, line.charCodeAt(levelAt));
    },

    /** What was counted so far, one after the other: an org can have hundreds of thousands. */
    *counts(): Generator<SlotCounts> {
      for (const slots of byRobot.values())
        for (const { robotId, fleetId, number, sources } of slots)
          for (const { name, counts } of sources) {
            const source = name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
            yield { robotId, fleetId, source, slotAtMs: number * slotMs, ...counts };
          }
    },
  };
}

/** The counts of the source that is named at this place of the line. */
function countsOf(sources: Source[], line: string, at: number): Counts {
  // There are few, and most lines need no text of their own for the look-up.
  for (const { name, counts } of sources)
    if (line.charCodeAt(at + name.length) === quote && line.startsWith(name, at)) return counts;
  if (sources.length < maxNamedSources) return newSource(sources, line.slice(at, endOfText(line, at)));
  return sources.find(({ name }) => name === otherSources)?.counts ?? newSource(sources, otherSources);
}

function newSource(sources: Source[], name: string): Counts {
  const counts = noCounts();
  sources.push({ name, counts });
  return counts;
}

/** By the first letters of the levels, which differ. */
function countLevel({ levels }: Counts, letter: number): void {
  if (letter === 0x69) levels.info += 1;
  else if (letter === 0x77) levels.warn += 1;
  else if (letter === 0x65) levels.error += 1;
  else if (letter === 0x64) levels.debug += 1;
  else levels.fatal += 1;
}

/** The quote that ends a JSON text. */
function endOfText(line: string, from: number): number {
  let at = from;
  while (at < line.length && line.charCodeAt(at) !== quote) at += line.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
