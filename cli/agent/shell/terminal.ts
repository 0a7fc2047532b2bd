import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { holdMaster, releaseMaster, shielded } from './descriptors.ts';
import { endMark } from './end-mark.ts';
import { endOf, programLife } from './life.ts';
import { processOf, sendSignal } from './processes.ts';
import type { Program, ProgramListener, ProgramStart } from './program.ts';
import { terminalWriter } from './writer.ts';

/** What we use of node-pty's native part. */
interface NativePty {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
  resize(master: number, columns: number, rows: number): void;
}

/** The group of terminals, in which programs as `write` run, on every Linux. */
export const terminalGroup = 5;
export const endOfFile = Buffer.from([4]);
const sttyWithinMs = 1_000;
/** So long nothing must come from a terminal after its program ended where the mark of its end does not come, as after Ctrl-S. */
const quietMs = 1_000;

/** Node-pty's native part; undefined where it is not installed, or not for this processor. */
export async function loadNativePty(): Promise<NativePty | undefined> {
  try {
    const { requireBinary } = await import('@lydell/node-pty/requireBinary.js');
    const native = requireBinary('pty.node') as Partial<NativePty>;
    return typeof native.open === 'function' && typeof native.resize === 'function' ? (native as NativePty) : undefined;
  } catch {
    return undefined;
  }
}

/** The child in its terminal. We hold the program's end of it open too. @throws for what `startInTerminal` throws; nothing of it is open then */
function spawnInTerminal(native: NativePty, { file, args, cwd, environment, columns, rows, owner }: ProgramStart) {
  const { master, slave, pty } = native.open(columns, rows);
  holdMaster(master);
  const open = new Set([master, slave]);
  try {
    // As everywhere today: else erasing takes a byte of a character and leaves the others.
    spawnSync('stty', ['-F', pty, 'iutf8'], { stdio: shielded('ignore', 'ignore', 'ignore'), timeout: sttyWithinMs });
    // Another one, as that one does not block: programs are not used to it.
    const blockingSlave = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
    open.add(blockingSlave);
    closeSync(slave);
    open.delete(slave);
    if (owner) {
      // Else it could not open its own terminal.
      chownSync(pty, owner.uid, terminalGroup);
      chmodSync(pty, 0o620);
    }
    // Not detached: the leader of a group would have to fork for a session.
    const child = spawn('setsid', ['-c', file, ...args], {
      stdio: shielded(blockingSlave, blockingSlave, blockingSlave),
      cwd,
      env: { ...environment },
    });
    return { master, pty, blockingSlave, child };
  } catch (error) {
    releaseMaster(master);
    for (const descriptor of open) closeSync(descriptor);
    throw error;
  }
}

/**
 * Starts a program in a terminal of its own. We keep its end of the terminal open until all was read: when the last one closes it, what the program
 * wrote at its end may be lost. @throws when there are no more terminals, or for what no program can be given, as a NUL
 */
export function startInTerminal(native: NativePty, start: ProgramStart, on: ProgramListener): Program {
  const { master, pty, blockingSlave, child } = spawnInTerminal(native, start);
  const output = new ReadStream(master);
  const writer = terminalWriter(master, () => on.drained());
  const mark = endMark(pty, () => life.outputEnded());
  const life = programLife({
    quietMs,
    killsAll: start.killsAll,
    leader: () => child.pid ?? 0,
    close() {
      mark.close();
      writer.close();
      releaseMaster(master);
      output.destroy();
      closeSync(blockingSlave);
    },
    ended: (end) => on.ended(end),
  });
  output.on('data', (bytes: Buffer) => {
    const own = mark.take(bytes);
    if (own.length > 0) on.output(own, undefined);
    life.came(bytes.length);
  });
  output.on('error', () => undefined);
  child.on('error', () => life.exited({ code: 127 }));
  child.on('exit', (code, signal) => {
    mark.write();
    life.exited(endOf(code, signal));
  });

  return {
    write: (bytes) => writer.write(bytes),
    eof: () => void writer.write(endOfFile),
    pause() {
      output.pause();
      life.paused();
    },
    resume() {
      if (life.isOver) return;
      output.resume();
      life.resumed();
    },
    resize(columns, rows) {
      if (!life.isOver) native.resize(master, columns, rows);
    },
    signal: (name) => signalForeground(life.leader, name),
    end: () => life.end(),
    kill: () => life.kill(),
  };
}

/** To the group in the foreground of a session's terminal. */
export function signalForeground(leader: number, name: string): void {
  const foreground = processOf(leader)?.foreground ?? 0;
  if (foreground > 1) sendSignal(-foreground, `SIG${name}` as NodeJS.Signals);
}
