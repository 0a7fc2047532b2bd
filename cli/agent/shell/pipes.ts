import { spawn } from 'node:child_process';
import { checkStreams, onStreams } from './child-streams.ts';
import { isolatedStdio } from './isolated-stdio.ts';
import { programLife } from './life.ts';
import { sendSignal } from './processes.ts';
import type { Program, ProgramListener, ProgramStart } from './program.ts';

/** Processes that the program started may hold its outputs open. They have this long to write more. */
const quietMs = 500;

/**
 * Starts a program without a terminal, in its own session. @throws for arguments that no program can take, and when too
 * many files are open
 */
export function startOnPipes(start: ProgramStart, on: ProgramListener): Program {
  const child = spawn(start.file, start.args, {
    stdio: isolatedStdio('pipe', 'pipe', 'pipe'),
    detached: true,
    cwd: start.cwd,
    env: { ...start.environment },
  });
  checkStreams(child);
  const { stdin, stdout, stderr } = child;
  const life = programLife({
    quietMs,
    killsAll: start.killsAll,
    leader: () => child.pid ?? 0,
    close() {
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
    ended: (end) => on.ended(end),
  });
  // The message and the exit codes of a shell.
  child.on('error', (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    on.output(Buffer.from(`${start.file}: ${isMissing ? 'not found' : 'cannot be run'}\n`), 2);
    life.exited({ code: isMissing ? 127 : 126 });
    life.outputEnded();
  });
  return {
    ...onStreams(
      {
        child,
        stdin,
        outputs: [
          [stdout, 1],
          [stderr, 2],
        ],
      },
      life,
      on,
    ),
    eof: () => void stdin.end(),
    resize: () => undefined,
    signal(name) {
      if (life.leader !== 0) sendSignal(-life.leader, `SIG${name}`);
    },
  };
}
