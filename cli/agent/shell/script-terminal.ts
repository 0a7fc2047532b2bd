import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { checkStreams, onStreams } from './child-streams.ts';
import { isolatedStdio } from './isolated-stdio.ts';
import { programLife } from './life.ts';
import { onlyChildOf, processOf } from './processes.ts';
import type { Program, ProgramListener, ProgramStart } from './program.ts';
import { endOfFile, signalForeground, terminalGroup } from './terminal.ts';

/** Other processes may hold its output open; `script` itself writes all that it has and ends. */
const quietMs = 500;
const askWithinMs = 5_000;
/**
 * The major number of Unix98 terminals, in the upper byte of a device number. The lower byte is the number of the file,
 * up to 255.
 */
const terminalMajor = 136;

/** Whether util-linux's `script`, which can allocate a terminal, is installed. */
export const hasScript = () =>
  promisify(execFile)('script', ['--version'], { timeout: askWithinMs }).then(
    ({ stdout }) => stdout.includes('util-linux'),
    () => false,
  );

/**
 * Does the same as `startInTerminal` where the native part is missing. `script` holds the terminal and passes it on
 * over pipes. It exits with 128 plus the number of a signal. While its output waits, it takes no input either.
 */
export function startInScript(start: ProgramStart, on: ProgramListener): Program {
  const child = spawn('script', ['-qfec', lineOf(start), '/dev/null'], {
    stdio: isolatedStdio('pipe', 'pipe', 'ignore'),
    detached: true,
    cwd: start.cwd,
    // The shell of `script` itself, which runs that line.
    env: { PATH: start.environment['PATH'], LANG: 'C', SHELL: '/bin/sh' },
  });
  checkStreams(child);
  const { stdin, stdout, pid } = child;
  let leader = 0;
  const life = programLife({
    quietMs,
    killsAll: start.killsAll,
    leader: () => (leader ||= onlyChildOf(pid ?? 0)),
    helper: pid,
    close() {
      stdin.destroy();
      stdout.destroy();
    },
    ended: (end) => on.ended(end),
  });
  child.on('error', () => {
    life.exited({ code: 127 });
    life.outputEnded();
  });

  return {
    ...onStreams({ child, stdin, outputs: [[stdout, undefined]] }, life, on),
    eof: () => void stdin.write(endOfFile),
    resize(columns, rows) {
      const { terminal = 0 } = processOf(life.leader) ?? {};
      if (terminal >> 8 !== terminalMajor) return;
      const args = ['-F', `/dev/pts/${terminal & 0xff}`, 'cols', String(columns), 'rows', String(rows)];
      execFile('stty', args, { timeout: askWithinMs }, () => undefined);
    },
    signal: (name) => signalForeground(life.leader, name),
  };
}

/** `script` turns the echo off when it does not run on a terminal itself. */
function lineOf({ file, args, environment, columns, rows, owner }: ProgramStart): string {
  const own = owner && `chown ${owner.uid}:${terminalGroup} "$(tty)"; chmod 620 "$(tty)"; `;
  const variables = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
  const program = [file, ...args].map(quoted).join(' ');
  return `stty echo cols ${columns} rows ${rows}; ${own ?? ''}exec env -i ${variables.join(' ')} ${program}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
