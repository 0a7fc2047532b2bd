import { spawn } from 'node:child_process';
import { shielded } from './descriptors.ts';
import { endOf, programLife } from './life.ts';
import { sendSignal } from './processes.ts';
import type { Program, ProgramListener, ProgramStart } from './program.ts';

/** What it started may hold its outputs open, and has that long to fill them. */
const quietMs = 500;

/** Starts a program without a terminal, in a session of its own. */
export function startOnPipes(start: ProgramStart, on: ProgramListener): Program {
  const child = spawn(start.file, start.args, {
    stdio: shielded('pipe', 'pipe', 'pipe'),
    detached: true,
    cwd: start.cwd,
    env: { ...start.environment },
  });
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
  for (const [stream, output] of [
    [stdout, 1],
    [stderr, 2],
  ] as const)
    stream
      .on('data', (bytes: Buffer) => {
        on.output(bytes, output);
        life.came(bytes.length);
      })
      .on('error', () => undefined);
  // One that was closed takes all, as it goes nowhere.
  stdin
    .on('drain', () => on.drained())
    .on('close', () => on.drained())
    .on('error', () => undefined);
  // What a shell would say, and its exit codes.
  child.on('error', (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    on.output(Buffer.from(`${start.file}: ${isMissing ? 'not found' : 'cannot be run'}\n`), 2);
    life.exited({ code: isMissing ? 127 : 126 });
    life.outputEnded();
  });
  child.on('exit', (code, signal) => life.exited(endOf(code, signal)));
  child.on('close', () => life.outputEnded());

  return {
    write: (bytes) => !stdin.writable || stdin.write(bytes),
    eof: () => void stdin.end(),
    pause() {
      stdout.pause();
      stderr.pause();
      life.paused();
    },
    resume() {
      if (life.isOver) return;
      stdout.resume();
      stderr.resume();
      life.resumed();
    },
    resize: () => undefined,
    signal(name) {
      if (life.leader !== 0) sendSignal(-life.leader, `SIG${name}`);
    },
    end: () => life.end(),
    kill: () => life.kill(),
  };
}
