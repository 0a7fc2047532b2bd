import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endOf, type ProgramLife } from './life.ts';
import type { Program, ProgramListener } from './program.ts';

/** The streams of a Node child: its input, and its outputs, each with its number. */
interface Streams {
  child: ChildProcess;
  stdin: Writable;
  outputs: readonly (readonly [stream: Readable, output: 1 | 2 | undefined])[];
}

/** When too many files are open, Node returns a child without streams and also emits an `error` event. @throws then */
export function checkStreams(child: ChildProcess): void {
  if (child.stdin) return;
  child.on('error', () => undefined);
  throw new Error('too many files are open');
}

/**
 * Passes the child's output and its end to the listener; returns its input. The caller handles a child that did not
 * start.
 */
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
  // A closed input accepts everything and discards it.
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
