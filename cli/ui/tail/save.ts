import { writeFile } from 'node:fs/promises';
import { safeCell } from '../../output/safe.ts';
import type { NumberedLine } from './window.ts';

/** Writes lines to a new file in the folder that only its owner can read; returns its path. */
export async function saveLines(
  lines: readonly NumberedLine[],
  folder: string,
  name: string,
  nameOf: (robotId: string) => string,
): Promise<string> {
  const stem = name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[.-]+/, '') || 'robot';
  const stamp = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
  const text = lines.map((line) => `${fileLine(line, nameOf)}\n`).join('');
  for (let copy = 1; ; copy += 1) {
    const path = `${folder}/${stem.slice(0, 80)}-${stamp}${copy === 1 ? '' : `_${copy}`}.log`;
    try {
      await writeFile(path, text, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** As `cli robots logs` writes it to a pipe, with the robot's name: safe for a terminal. */
const fileLine = (line: NumberedLine, nameOf: (robotId: string) => string): string =>
  savedFields(line, nameOf).map(safeCell).join('\t');

/** Fields of a saved line: time, robot, level, source, message. */
export function savedFields({ line }: NumberedLine, nameOf: (robotId: string) => string): string[] {
  return line.kind === 'note'
    ? [line.at, nameOf(line.robotId), '', '', line.text]
    : [
        line.record.ts ?? line.record.received_at,
        nameOf(line.robotId),
        line.record.level,
        line.record.source,
        line.record.message,
      ];
}
