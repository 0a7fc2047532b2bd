import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ReadStream } from 'node:tty';
import { holdMaster, releaseMaster, isolatedStdio } from './isolated-stdio.ts';
import { endMark } from './end-mark.ts';
import { endOf, programLife } from './life.ts';
import { processOf, sendSignal } from './processes.ts';
import type { Program, ProgramListener, ProgramStart } from './program.ts';
import { terminalWriter } from './writer.ts';

/** The parts in use of node-pty's native part. */
interface NativePty {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
  resize(master: number, columns: number, rows: number): void;
}

type PtyPackage = typeof import('@lydell/node-pty/requireBinary.js');

/** The group of terminals, in which programs such as `write` run; the same on every Linux. */
export const terminalGroup = 5;
export const endOfFile = Buffer.from([4]);
const sttyWithinMs = 1_000;
/** Without an end mark, as after Ctrl-S, the output is complete when none has arrived for this long. */
const quietMs = 1_000;

/**
 * Beside the agent, or beside the Node that runs it: a Debian package has them in one folder, and an agent delivered as a
 * release is in another.
 */
const loadPackage = (): Promise<PtyPackage> =>
  import('@lydell/node-pty/requireBinary.js').catch(
    () => createRequire(process.execPath)('@lydell/node-pty/requireBinary.js') as PtyPackage,
  );

/** node-pty's native part; undefined when it is not installed, or not built for this processor. */
export async function loadNativePty(): Promise<NativePty | undefined> {
  try {
    const { requireBinary } = await loadPackage();
    const native = requireBinary('pty.node') as Partial<NativePty>;
    return typeof native.open === 'function' && typeof native.resize === 'function' ? (native as NativePty) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The child in its terminal. The agent also holds the program's end open. @throws what `startInTerminal` throws, with
 * everything closed
 */
function spawnInTerminal(native: NativePty, { file, args, cwd, environment, columns, rows, owner }: ProgramStart) {
  const { master, slave, pty } = native.open(columns, rows);
  holdMaster(master);
  const open = new Set([master, slave]);
  try {
    // The usual setting today. Without it, erasing removes one byte of a character and leaves the others.
    spawnSync('stty', ['-F', pty, 'iutf8'], {
      stdio: isolatedStdio('ignore', 'ignore', 'ignore'),
      timeout: sttyWithinMs,
    });
    // Opened again because `slave` does not block, which programs do not expect.
    const blockingSlave = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
    open.add(blockingSlave);
    closeSync(slave);
    open.delete(slave);
    if (owner) {
      // Otherwise the user could not open its own terminal.
      chownSync(pty, owner.uid, terminalGroup);
      chmodSync(pty, 0o620);
    }
    // Not detached: the leader of a group would have to fork to start a session.
    const child = spawn('setsid', ['-c', file, ...args], {
      stdio: isolatedStdio(blockingSlave, blockingSlave, blockingSlave),
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
 * Starts a program in its own terminal. The agent keeps the program's end of the terminal open until all output is
 * read. If the last descriptor closed earlier, the program's last output might be lost. @throws when no more terminals
 * are available, or for arguments that no program can take, such as a NUL
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

/** Signals the foreground group of a session's terminal. */
export function signalForeground(leader: number, name: string): void {
  const foreground = processOf(leader)?.foreground ?? 0;
  if (foreground > 1) sendSignal(-foreground, `SIG${name}` as NodeJS.Signals);
}
