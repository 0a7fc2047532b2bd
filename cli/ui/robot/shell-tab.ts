import { cutLine, lineOf, type Line } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import { offlineLines } from './health.ts';
import { robotOf } from './state.ts';

/** Content of the shell tab: nothing starts by itself. */
export function shellLines(ui: Ui, robotId: string, columns: number, rows: number): Line[] {
  const robot = robotOf(ui, robotId);
  if (!robot) return [];
  const lines = robot.online
    ? [
        ui.writes.get()
          ? lineOf(' Enter opens a shell on the robot. It uses the whole terminal.', 'strong')
          : lineOf(' A shell can change anything: press W to allow changes, then enter to open it.', 'warn'),
        lineOf(' exit, or ~. at the beginning of a line, returns here.'),
        lineOf(''),
        lineOf(' It requires the role operator, and an agent started with --allow-shell.', 'quiet'),
        lineOf(
          ' If the org records shells, the shell says so when it starts. List sessions with: cli sessions list',
          'quiet',
        ),
      ]
    : offlineLines(ui, robotId);
  return lines.slice(0, rows).map((line) => cutLine(line, columns, ui.theme.signs.ellipsis));
}

const endings: Readonly<Record<number, string>> = {
  4: 'the sign-in is no longer valid',
  5: 'robot not found',
  9: 'the agent is offline',
  130: 'interrupted',
  255: 'the connection was lost',
};

/** Gives the terminal to a `cli` command, and reports how it ended. */
export async function handOver(ui: Ui, words: readonly string[]): Promise<void> {
  const beganMs = performance.now();
  const code = await ui.terminal.handOver(words);
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  const lasted =
    seconds >= 60 ? `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s` : `${seconds}s`;
  // A shell exits with the code of the remote program: only 255 is ours.
  const meaning = words[1] === 'shell' && code !== 255 ? undefined : endings[code];
  const how = `exit ${code}${meaning === undefined ? '' : ` (${meaning})`}`;
  // The user ends a camera view: it is not a session that could end by itself, or with a code of its own.
  const ended = words[1] !== 'camera' ? `session ended, ${how}` : code === 0 ? 'camera closed' : `camera ended, ${how}`;
  ui.notice.set({ text: `${ended}, ${lasted}`, tone: code === 0 ? 'good' : 'warn' });
}
