import { Box } from 'ink';
import { fitLine, lineOf, type Line } from '../components/line.ts';
import { Lines } from '../components/Lines.tsx';
import { useDrawn, useReadable, useWants } from '../hooks.ts';
import type { Theme } from '../theme.ts';
import type { Size, Ui } from '../ui.ts';
import { visibleAround, type Panel } from './panel.ts';
import type { OverlayController } from './controller.ts';
import { controllerOf } from './controllers.ts';

/** Maximum width of a dialog, so that it is easy to read. */
const maxColumns = 100;
/** The frame: two lines, and two cells on each side. */
const [frameRows, frameColumns] = [2, 4];

/** The open overlay, drawn over the cells of the screen. */
export function OverlayView({ ui, columns, rows }: Size & { ui: Ui }) {
  const overlay = useReadable(ui.overlay);
  if (!overlay) return null;
  return <Open controller={controllerOf(ui, overlay)} theme={ui.theme} columns={columns} rows={rows} />;
}

function Open({ controller, theme, columns, rows }: Size & { controller: OverlayController; theme: Theme }) {
  useWants(controller.wants ?? []);
  const width = Math.min(columns, maxColumns);
  // A plan's facts about robots and time stay up to date while it is read.
  const panel = useDrawn([controller.state], () =>
    controller.panel({ columns: width - frameColumns, rows: Math.max(1, rows - frameRows) }),
  );
  if (panel.place === 'foot') return <Foot panel={panel} theme={theme} columns={columns} rows={rows} />;
  return <Framed panel={panel} theme={theme} width={width} columns={columns} rows={rows} />;
}

function Framed({ panel, theme, width, columns, rows }: Size & { panel: Panel; theme: Theme; width: number }) {
  const { ellipsis, lines: signs } = theme.signs;
  const [horizontal, vertical, topLeft, topRight, bottomRight, bottomLeft] = signs;
  const shown = visibleAround(panel.lines, panel.focus ?? 0, Math.max(1, rows - frameRows));
  const tone = panel.tone ?? 'accent';
  const between = (left: string, line: Line, right: string, filler?: string): Line => ({
    segments: [
      { text: left, tone },
      ...fitLine(line, width - frameColumns, ellipsis, filler).segments,
      { text: right, tone },
    ],
  });
  const rule = (text: string, left: string, right: string) =>
    between(left + horizontal, lineOf(text === '' ? '' : ` ${text} `), horizontal + right, horizontal);
  const framed = [
    rule(panel.title, topLeft, topRight),
    ...shown.map((line) => between(`${vertical} `, line, ` ${vertical}`)),
    rule(panel.footer, bottomLeft, bottomRight),
  ];
  return (
    <Box
      position="absolute"
      marginTop={Math.max(0, Math.floor((rows - framed.length) / 3))}
      marginLeft={Math.floor((columns - width) / 2)}
      flexDirection="column"
    >
      <Lines lines={framed} theme={theme} />
    </Box>
  );
}

/** A single line, drawn over the last row. */
function Foot({ panel, theme, columns, rows }: Size & { panel: Panel; theme: Theme }) {
  const segments = [
    ...(panel.lines[0]?.segments ?? []),
    { text: `   ${panel.footer}`, tone: panel.tone ?? ('quiet' as const) },
  ];
  return (
    <Box position="absolute" marginTop={rows - 1}>
      <Lines lines={[fitLine({ segments }, columns, theme.signs.ellipsis)]} theme={theme} />
    </Box>
  );
}
