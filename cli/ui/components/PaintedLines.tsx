import { Transform } from 'ink';

/**
 * Lines that are cut to their width and painted already. What Ink is given as text is the same for as many lines: it measures each text that it has
 * not seen and keeps it for ever, which a tail of logs must not be. May go when Ink forgets.
 */
export function PaintedLines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Transform transform={(_, index) => lines[index] ?? ''}>
      {Array<string>(lines.length).fill('.').join('\n')}
    </Transform>
  );
}
