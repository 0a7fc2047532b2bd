import { Transform } from 'ink';

/**
 * Lines already cut and painted. Ink gets the same placeholder text for each line count: it measures each new text and
 * caches it for ever, which a log tail must not fill. Remove when Ink evicts its cache.
 */
export function PaintedLines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Transform transform={(_, index) => lines[index] ?? ''}>
      {Array<string>(lines.length).fill('.').join('\n')}
    </Transform>
  );
}
