import { Box, Text, useInput } from 'ink';
import { useReadable } from '../../cli/ui/hooks.ts';
import { mount } from '../../cli/ui/mount.tsx';
import { createStore } from '../../cli/ui/data/store.ts';
import type { UiTerminal } from '../../cli/ui/ui.ts';
import { modelLine, wideNames } from './ui-model.ts';

/** Changes of the model per second. */
const perSecond = 100;

interface State {
  tick: number;
  typed: string;
}

/** Lines of a model that changes continuously, on the terminal of the interface. */
function Program({ terminal, state }: { terminal: UiTerminal; state: ReturnType<typeof createStore<State>> }) {
  const { columns, rows } = useReadable(terminal.size);
  const { tick, typed } = useReadable(state);
  useInput((input, key) => {
    const name = key.escape ? 'esc' : key.upArrow ? 'up' : key.return ? 'enter' : input;
    if (input === 'q') terminal.quit();
    else if (input === 'z' && key.ctrl) terminal.suspend();
    else if (input === 'h')
      void terminal.handOver(JSON.parse(process.env['LINE'] ?? '[]') as string[]).then((code) => say(`code ${code}`));
    else if (input === 'y') terminal.copy('für Elise');
    else if (input === 'x') void Promise.reject(new Error('injected'));
    else if (input === 'd') say('draw');
    else say(`${typed}[${name}]`);
  });
  const say = (text: string) => state.update((now) => ({ ...now, typed: text }));
  if (typed === 'draw') throw new Error('injected');
  const named = process.env['NAMES'] === undefined ? [] : wideNames;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Text>{`tick ${tick} ${columns}x${rows} ${typed}`}</Text>
      {named.map((name) => (
        <Box key={name} width={columns}>
          <Box width={20}>
            <Text>{name}</Text>
          </Box>
          <Text wrap="truncate">{`| ${tick}`}</Text>
        </Box>
      ))}
      {Array.from({ length: rows - 1 - named.length }, (_, row) => (
        <Text key={row} {...(row % 3 === 0 && { color: 'red', bold: true })}>
          {modelLine(row, tick, columns) || ' ' /* an empty text has no line */}
        </Text>
      ))}
    </Box>
  );
}

const state = createStore<State>({ tick: 0, typed: '' });
const timer = setInterval(() => {
  // After `s` is typed the model stands still.
  if (!state.get().typed.includes('[s]')) state.update((now) => ({ ...now, tick: now.tick + 1 }));
}, 1000 / perSecond);
// It passes the terminal to the client.
process.argv[1] = process.env['CLI'] ?? '';
const passedOn = JSON.parse(process.env['PASSED_ON'] ?? '[]') as string[];
process.exitCode = await mount({ isAscii: process.env['ASCII'] !== undefined, passedOn }, (terminal) => (
  <Program terminal={terminal} state={state} />
)).finally(() => clearInterval(timer));
