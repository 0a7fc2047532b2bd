import { useEffect } from 'react';
import { Lines } from '../components/Lines.tsx';
import { useDrawn, useIsAfter, useWatched } from '../hooks.ts';
import { placeFrame } from './pointing.ts';
import { drawTable, itemsOnScreen, titlesOf, type Frame } from './drawing.ts';

/** A list that loads sooner shows no placeholder. */
const skeletonAfterMs = 150;

/** A list: header, the rows that fit, and footer, or a message instead. */
export function TableView(frame: Frame) {
  const { ui, table } = frame;
  const isLate = useIsAfter(skeletonAfterMs);
  const alongside = useWatched(table.alongside?.(itemsOnScreen(frame), titlesOf(frame)) ?? []);
  useEffect(() => placeFrame(frame));
  const lines = useDrawn([table.source, ui.overlay, ui.writes, alongside], () => drawTable(frame, isLate));
  return <Lines lines={lines} theme={ui.theme} />;
}
