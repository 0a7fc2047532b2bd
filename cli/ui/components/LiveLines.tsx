import type { Readable } from '../data/store.ts';
import { useDrawn } from '../hooks.ts';
import type { Theme } from '../theme.ts';
import type { Line } from './line.ts';
import { Lines } from './Lines.tsx';

interface LiveLinesProps {
  theme: Theme;
  /** Drawn when one of these changes, and once a second. */
  sources: readonly Readable<unknown>[];
  draw: () => readonly Line[];
}

/** Lines that render again only when they differ. */
export function LiveLines({ theme, sources, draw }: LiveLinesProps) {
  return <Lines lines={useDrawn(sources, draw)} theme={theme} />;
}
