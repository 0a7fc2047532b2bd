import { Box } from 'ink';
import { useEffect, useMemo } from 'react';
import { safeCell } from '../../output/safe.ts';
import type { Tail, TailState } from '../data/data.ts';
import { useReadable, useWants } from '../hooks.ts';
import { tailLines } from '../tail/paint.ts';
import { matchesIn, searchOf } from '../tail/search.ts';
import { tailPane, type Search, type TailWindow } from '../tail/window.ts';
import type { Theme } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { cutLine, lineOf, type Line } from './line.ts';
import { Lines } from './Lines.tsx';
import { PaintedLines } from './PaintedLines.tsx';

interface TailViewProps {
  ui: Ui;
  view: View;
  tail: Tail;
  /** Robots whose logs are shown. */
  robotIds: readonly string[];
  columns: number;
  rows: number;
  /** Shown while there are no lines: the reason, and what to do. */
  empty: { text: string; next: string };
}

/** A live tail: a status line, and the lines themselves. */
export function TailView({ ui, view, tail, robotIds, columns, rows, empty }: TailViewProps) {
  useWants([tail]);
  const pane = tailPane(ui, view.key);
  const window = useReadable(pane.window);
  const live = useReadable(tail);
  const robots = ui.data.robots.get().value?.byId;
  const names = useMemo(
    () => new Map(robotIds.map((id) => [id, safeCell(robots?.get(id)?.name ?? id)])),
    [robotIds, robots],
  );
  const lineRows = Math.max(1, rows - 1);
  useEffect(() => void (pane.rows = lineRows), [pane, lineRows]);
  const search = searchOf(view.list.filter);
  const state = window.paused ?? live;
  search?.prepare(state.lines);
  const { theme } = ui;
  const emptyLines = [
    ...[...live.failures].slice(0, 3).map(([id, { message }]) => lineOf(` ${names.get(id) ?? id}: ${message}`, 'warn')),
    lineOf(` ${empty.text}`),
    lineOf(` ${empty.next}`, 'quiet'),
  ].slice(0, lineRows);
  const isAllHidden = search !== undefined && state.lines.every(search.isHidden);
  const hiddenLines = [
    lineOf(` The search hides all ${state.lines.length.toLocaleString('en-US')} lines.`),
    lineOf(' / changes it, esc clears it.', 'quiet'),
  ].slice(0, lineRows);
  const status = statusOf({ live, state, window, theme, robotCount: robotIds.length, search });
  return (
    <Box flexDirection="column">
      <Lines lines={[cutLine(status, columns, theme.signs.ellipsis)]} theme={theme} />
      {state.lines.length === 0 || isAllHidden ? (
        <Lines
          lines={(isAllHidden && state.lines.length > 0 ? hiddenLines : emptyLines).map((line) =>
            cutLine(line, columns, theme.signs.ellipsis),
          )}
          theme={theme}
        />
      ) : (
        <PaintedLines
          lines={tailLines(state, window, {
            theme,
            columns,
            rows: lineRows,
            names,
            search,
            hasColours: ui.settings.hasColours,
          })}
        />
      )}
    </Box>
  );
}

interface Seen {
  live: TailState;
  state: TailState;
  window: TailWindow;
  theme: Theme;
  robotCount: number;
  search: Search | undefined;
}

/** The status line: what is visible of the tail, and `live` only where it is. */
function statusOf({ live, state, window, theme, robotCount, search }: Seen): Line {
  const { signs } = theme;
  const { paused, end, level, isWrapped } = window;
  const newer = live.total - (paused?.total ?? end ?? live.total);
  const open = live.openCount;
  const isWhole = open >= robotCount && robotCount > 0;
  const sign = paused ? signs.unknown : isWhole ? signs.online : open > 0 ? signs.degraded : signs.offline;
  const word = paused ? 'paused' : open > 0 ? 'live' : 'not live';
  const matches = matchesIn(state, level, search);
  const hidden = search ? state.lines.filter(search.isHidden).length : 0;
  const at = window.match !== undefined ? matches.indexOf(window.match) + 1 : 0;
  const facts = [
    newer > 0 && `${newer.toLocaleString('en-US')} new`,
    robotCount > 1 && `${open} of ${robotCount} robots`,
    !paused && end !== undefined && 'not following (f)',
    level && `${level} and above`,
    isWrapped && 'wrapped',
    search?.fault(),
    search &&
      search.text !== '' &&
      (matches.length === 0
        ? `no matches for ${search.text}`
        : `${at > 0 ? `${at} of ` : ''}${matches.length} matches (n N)`),
    hidden > 0 && `${hidden.toLocaleString('en-US')} hidden`,
    `${state.lines.length.toLocaleString('en-US')} line${state.lines.length === 1 ? '' : 's'}`,
  ].filter((fact) => typeof fact === 'string');
  return {
    segments: [
      { text: ` ${sign} ${word}`, tone: !paused && isWhole ? 'good' : 'warn' },
      { text: facts.map((fact) => `  ${fact}`).join('') },
    ],
  };
}
