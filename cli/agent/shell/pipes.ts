import { spawn } from 'node:child_process';
import { checkStreams, onStreams } from './child-streams.ts';
import { shielded } from './descriptors.ts';
import { programLife } from './life.ts';
import { sendSignal } from './processes.ts';
import type { Program, ProgramListener, ProgramStart } from './program.ts';

/** What it started may hold its outputs open, and has that long to fill them. */
const quietMs = 500;

/** Starts a program without a terminal, in a session of its own. @throws for what no program can be given, and where too many files are open */
export function startOnPipes(start: ProgramStart, on: ProgramListener): Program {
  const child = spawn(start.file, start.args, {
    stdio: shielded('pipe', 'pipe', 'pipe'),
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
  // What a shell would say, and its exit codes.
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
