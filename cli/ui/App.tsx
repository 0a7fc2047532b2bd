import { Box, Text } from 'ink';
import { useCallback } from 'react';
import type { Keystroke } from './actions/keys.ts';
import { handleKeystroke } from './actions/key-dispatch.ts';
import { useKeys } from './actions/use-keys.ts';
import { linesAbove } from './components/lines-above.ts';
import { LiveLines } from './components/LiveLines.tsx';
import { headerLine } from './components/header.ts';
import { Lines } from './components/Lines.tsx';
import { screenTabsLine } from './components/screen-tabs.ts';
import { statusBarLine } from './components/status-bar.ts';
import { useDrawn, useReadable, useWants } from './hooks.ts';
import { OverlayView } from './overlays/OverlayView.tsx';
import { isTooSmall, minSize } from './terminal-size.ts';
import { screenOf } from './screens/index.ts';
import type { Size, Ui } from './ui.ts';
import type { View } from './views.ts';

export function App({ ui }: { ui: Ui }) {
  const { columns, rows } = useReadable(ui.terminal.size);
  const { current: view } = useReadable(ui.views);
  // Theme and columns may differ: everything is painted again.
  useReadable(ui.preferences);
  useWants([ui.data.whoami, ...screenOf(view.place.screen).wants(ui, view)]);
  useKeys(
    useCallback(
      (keystroke: Keystroke) => {
        ui.data.attend();
        handleKeystroke(ui, keystroke);
      },
      [ui],
    ),
  );
  if (isTooSmall({ columns, rows }))
    return (
      <Text>
        This terminal is {columns}x{rows}. Make it {minSize.columns}x{minSize.rows} or larger; q quits.
      </Text>
    );
  return <Whole ui={ui} view={view} columns={columns} rows={rows} />;
}

/** Header, tabs, connection banner and freeze, screen and status bar, with the open overlay on top. */
function Whole({ ui, view, columns, rows }: Size & { ui: Ui; view: View }) {
  const { theme, data } = ui;
  const aboveSources = [data.connection, data.freeze];
  const above = useDrawn(aboveSources, () => linesAbove(ui, view, columns).length);
  const bodyRows = rows - 3 - above;
  const screen = screenOf(view.place.screen);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <LiveLines
        theme={theme}
        sources={[data.connection, data.whoami, data.clockAheadMs, ui.writes]}
        draw={() => [headerLine(ui, view, columns)]}
      />
      <Lines lines={[screenTabsLine(ui, view, columns)]} theme={theme} />
      <LiveLines theme={theme} sources={aboveSources} draw={() => linesAbove(ui, view, columns)} />
      <Box key={view.key} flexDirection="column" height={bodyRows} flexShrink={0}>
        {screen.draw({ ui, view, columns, rows: bodyRows })}
      </Box>
      <LiveLines
        theme={theme}
        sources={[ui.notice, ui.writes, ui.overlay]}
        draw={() => [statusBarLine(ui, view, columns)]}
      />
      <OverlayView ui={ui} columns={columns} rows={rows} />
    </Box>
  );
}
