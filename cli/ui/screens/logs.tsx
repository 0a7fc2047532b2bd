import { Box } from 'ink';
import { cutLine, lineOf } from '../components/line.ts';
import { Lines } from '../components/Lines.tsx';
import { TailView } from '../components/TailView.tsx';
import { useReadable } from '../hooks.ts';
import { useCountLines } from '../tail/counts.ts';
import { maxRobots, robotsLeftOut, tailOf, tailRobots, type RobotChoice } from '../tail/sources.ts';
import type { Screen, ScreenProps } from './screen.ts';

/** Live logs of many robots together. */
function Logs(props: ScreenProps) {
  const { ui, view } = props;
  const { freshness } = useReadable(ui.data.robots);
  useReadable(ui.data.fleets);
  useReadable(ui.data.sites);
  const robotIds = tailRobots(ui, view);
  const empty =
    robotIds === undefined
      ? { text: freshness.kind === 'failed' ? freshness.failure.message : 'Loading the robots', next: '' }
      : robotIds.length === 0
        ? {
            text: 'No robots selected.',
            next: 'Filter with /, such as fleet:x, site:x or robot:x. Without a filter: robots that are online, or marked in the list (2).',
          }
        : {
            text: 'No lines yet.',
            next: `New lines appear automatically: ${robotIds.length} robots, at most ${maxRobots}.`,
          };
  const choice = robotsLeftOut(ui, view);
  const warningLines = choice
    ? [cutLine(leftOutLine(ui.theme.signs.degraded, choice), props.columns, ui.theme.signs.ellipsis)]
    : [];
  const above = [...warningLines, ...useCountLines(ui, view, props.columns)];
  return (
    <Box flexDirection="column">
      <Lines lines={above} theme={ui.theme} />
      <TailView
        {...props}
        rows={Math.max(1, props.rows - above.length)}
        tail={tailOf(ui, view)}
        robotIds={robotIds ?? []}
        empty={empty}
      />
    </Box>
  );
}

/** If there are more robots than can be read at once, or more than when they were chosen: the others are not shown. */
function leftOutLine(sign: string, { who, shown, count }: RobotChoice) {
  const next = shown < maxRobots ? 'r adds the others' : 'Select with /, or mark rows in the list (2)';
  return lineOf(` ${sign} ${shown} of ${count.toLocaleString('en-US')} ${who} robots. ${next}`, 'warn');
}

export const logsScreen: Screen = {
  id: 'logs',
  title: 'Logs',
  tab: { digit: '8', name: 'Logs', short: 'Logs' },
  subtitle: (_, place) => place.filter ?? '',
  wants: (ui) => [ui.data.robots, ui.data.fleets, ui.data.sites],
  draw: (props) => <Logs {...props} />,
};
