import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endOf, type ProgramLife } from './life.ts';
import type { Program, ProgramListener } from './program.ts';

/** What a child of Node's gives us of its program: where its input goes, and its outputs with their marks. */
interface Streams {
  child: ChildProcess;
  stdin: Writable;
  outputs: readonly (readonly [stream: Readable, output: 1 | 2 | undefined])[];
}

/** Where too many files are open Node gives a child without any stream, and says so once more by an event. @throws then */
export function checkStreams(child: ChildProcess): void {
  if (child.stdin) return;
  child.on('error', () => undefined);
  throw new Error('too many files are open');
}

/** Passes on what comes on the pipes of a child, and its end; gives what goes into them. A child that could not be started is the caller's. */
export function onStreams(
  { child, stdin, outputs }: Streams,
  life: ProgramLife,
  on: ProgramListener,
): Pick<Program, 'write' | 'pause' | 'resume' | 'end' | 'kill'> {
  for (const [stream, output] of outputs)
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
  child.on('exit', (code, signal) => life.exited(endOf(code, signal)));
  child.on('close', () => life.outputEnded());
  return {
    write: (bytes) => !stdin.writable || stdin.write(bytes),
    pause() {
      for (const [stream] of outputs) stream.pause();
      life.paused();
    },
    resume() {
      if (life.isOver) return;
      for (const [stream] of outputs) stream.resume();
      life.resumed();
    },
    end: () => life.end(),
    kill: () => life.kill(),
  };
}
