import { safeCell } from '../../output/safe.ts';
import { clock } from '../../output/time.ts';
import { offClock } from '../../output/units.ts';
import type { ConnectionState } from '../data/data.ts';
import { screenOf } from '../screens/index.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { cutTo, widthOf } from '../../output/text-width.ts';
import type { Line, Segment } from './line.ts';

const gap = '   ';

/** Left: screen, org and profile. Right: connection state, whether changes are allowed, and the time. */
export function headerLine(ui: Ui, view: View, columns: number): Line {
  const screen = screenOf(view.place.screen);
  const subtitle = safeCell(screen.subtitle?.(ui, view.place) ?? '');
  const title: Segment = { text: ` ${screen.title}${subtitle === '' ? '' : `: ${subtitle}`}`, tone: 'strong' };
  const org = safeCell(ui.data.whoami.get().value?.org.name ?? '');
  const whose = [org, safeCell(ui.data.place.profile)].filter((text) => text !== '').join(' · ');
  const connection = connectionSegment(ui);
  const mode: Segment = ui.writes.get() ? { text: 'WRITE', tone: 'warn' } : { text: 'READ-ONLY', tone: 'quiet' };
  const time = timeOf(ui);
  // If there is no room, the least important parts are dropped first.
  const sides: [Segment[], Segment[]][] = [
    [
      [title, { text: gap + whose, tone: 'quiet' }],
      [connection, mode, time],
    ],
    [[title], [connection, mode, time]],
    [[title], [connection, mode]],
  ];
  const lines = sides.map(([left, right]) => spread(left, right, columns));
  const fitting = lines.find((line) => line !== undefined);
  if (fitting) return fitting;
  // A long title is cut: connection state and write mode are always visible.
  const room = columns - 1 - widthOf(connection.text + gap + mode.text) - gap.length;
  const short = { ...title, text: cutTo(title.text, room, ui.theme.signs.ellipsis) };
  return spread([short], [connection, mode], columns) ?? { segments: [connection, { text: gap }, mode] };
}

/** Ages and times use the clock of this machine: if it is wrong, so are they. */
function timeOf({ data }: Ui): Segment {
  const [time, aheadMs] = [clock(new Date()), data.clockAheadMs.get()];
  if (aheadMs === 0) return { text: time, tone: 'quiet' };
  return { text: `${time} (clock ${offClock(aheadMs)})`, tone: 'warn' };
}

/** Undefined: it does not fit. */
function spread(left: readonly Segment[], right: readonly Segment[], columns: number): Line | undefined {
  const parts = right.flatMap((segment, index) => (index === 0 ? [segment] : [{ text: gap }, segment]));
  const room = columns - 1 - [...left, ...parts].reduce((sum, { text }) => sum + widthOf(text), 0);
  return room < gap.length ? undefined : { segments: [...left, { text: ' '.repeat(room) }, ...parts] };
}

function connectionSegment({ data, theme: { signs } }: Ui): Segment {
  const state: ConnectionState = data.connection.get();
  switch (state.kind) {
    case 'connecting':
      return { text: `${signs.busy} connecting`, tone: 'quiet' };
    case 'live':
      return { text: `${signs.online} live ${latency(state.latencyMs)}`, tone: 'good' };
    case 'reconnecting':
      return { text: `${signs.busy} reconnecting`, tone: 'warn' };
    case 'resting':
      return { text: `${signs.busy} resting`, tone: 'warn' };
    case 'degraded':
      return { text: `${signs.degraded} degraded`, tone: 'warn' };
    case 'signedOut':
      return { text: `${signs.offline} signed out`, tone: 'bad' };
  }
}

/** Rounded, so that an idle screen does not change. */
function latency(ms: number): string {
  if (ms < 20) return '<20ms';
  const step = ms < 200 ? 20 : 100;
  return `${Math.round(ms / step) * step}ms`;
}
