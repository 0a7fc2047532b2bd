import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { isolatedStdio } from '../shell/isolated-stdio.ts';
import type { Troubles } from '../troubles.ts';
import { liftedParts, type LiftedParts } from './lifted-parts.ts';

interface HealthPrograms {
  /** The last output of the programs, by their names; undefined if there is none. */
  readonly said: Record<string, unknown> | undefined;
  /** The parts of a snapshot in that output. */
  readonly lifted: LiftedParts;
  /** Runs all programs if the last run is about `ageMs` ago. Called with each heartbeat. Default: `everyMs`. */
  refresh(ageMs?: number): void;
  /** Resolves when no program is running. */
  finished(): Promise<void>;
  /** Kills the programs; resolves when none is running. */
  stop(): Promise<void>;
}

const timeoutMs = 5_000;
/** How long a killed program may take to end. One that waits for a device, or is of another user, may take for ever. */
const killedWithinMs = 1_000;
const maxBytes = 4 * 1024;
const maxPrograms = 16;
/** Timers are some ms early or late; without this, a run for each heartbeat would be one for every second. */
const earlyMs = 250;

/**
 * Runs the executables of `health.d` beside agent.toml; their JSON objects are the `extra` of a snapshot, and known
 * fields of them become parts of it. A program that fails, takes more than 5 s or writes more than 4 KiB is killed with its children, left out and reported. One that
 * cannot be killed is not run again while it exists. A file that users other than the owner or root can write is not run.
 */
export function healthPrograms(
  directory: string,
  environment: Readonly<Record<string, string>>,
  troubles: Troubles,
  everyMs: number,
): HealthPrograms {
  let said: Record<string, unknown> | undefined;
  let lifted: LiftedParts = {};
  let lastAt = -Infinity;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isStopped = false;
  const kills = new Set<() => void>();
  /** Programs that were killed and still exist. */
  const unkillable = new Set<string>();

  async function programs(): Promise<string[]> {
    const names = (await readdir(directory).catch(() => [])).sort();
    const paths = await Promise.all(
      names.map(async (name) => {
        const path = join(directory, name);
        const found = await stat(path).catch(() => undefined);
        if (!found?.isFile() || (found.mode & 0o111) === 0) return [];
        const isOurs = found.uid === 0 || found.uid === process.getuid?.();
        if (isOurs && (found.mode & 0o022) === 0) return [path];
        troubles.is(path, `${path} is not run: other users can write to it`);
        return [];
      }),
    );
    return paths.flat().slice(0, maxPrograms);
  }

  async function refreshNow(): Promise<void> {
    const outputs = await Promise.all(
      (await programs()).map(async (path) => ({ path, name: parse(path).name, value: await run(path) })),
    );
    const known = outputs.flatMap(({ value, ...program }) => (value ? [{ ...program, value }] : []));
    said = known.length > 0 ? Object.fromEntries(known.map(({ name, value }) => [name, value])) : undefined;
    lifted = liftedParts(known, troubles);
  }

  /** The output of the program; undefined if it failed, which is reported. */
  async function run(path: string): Promise<Record<string, unknown> | undefined> {
    if (unkillable.has(path)) return undefined;
    const { value, fault } = await outcomeOf(path).catch(notStarted);
    if (value) troubles.over(path, `${path} works again`);
    else if (!isStopped)
      troubles.is(path, `${path} is left out of the health: it ${fault ?? 'printed no JSON object'}`);
    return value;
  }

  function outcomeOf(path: string): Promise<{ value?: Record<string, unknown> | undefined; fault?: string }> {
    return new Promise((resolve) => {
      const child: ChildProcess = spawn(path, [], {
        detached: true,
        stdio: isolatedStdio('ignore', 'pipe', 'ignore'),
        env: { ...environment },
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      const kill = () => {
        // By group: a child of the program holds the pipe, and would outlive it.
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } catch {
          // The group has ended.
        }
        child.stdout?.destroy();
      };
      let fault: string | undefined;
      let timer = setTimeout(() => {
        fault ??= `took more than ${timeoutMs / 1000} s`;
        kill();
        timer = setTimeout(() => {
          unkillable.add(path);
          // The agent can exit without it.
          child.unref();
          fault = `${fault ?? ''}, and its process ${child.pid ?? 0} cannot be killed`;
          end(undefined);
        }, killedWithinMs);
      }, timeoutMs);
      kills.add(kill);
      // There is no stdout when too many files are open; an `error` event reports that.
      child.stdout?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= maxBytes) return;
        fault ??= `printed more than ${maxBytes} bytes`;
        kill();
      });
      const end = (failed: string | undefined) => {
        clearTimeout(timer);
        kills.delete(kill);
        kill();
        fault ??= failed;
        resolve(fault === undefined ? { value: objectOf(Buffer.concat(chunks).toString('utf8')) } : { fault });
      };
      child.on('error', (error) => end(notStarted(error).fault));
      child.on('close', (code, signal) => {
        unkillable.delete(path);
        if (code === 0) end(undefined);
        else end(signal ? `was ended by ${signal}` : `ended with ${code ?? 0}`);
      });
    });
  }

  return {
    get said() {
      return said;
    },
    get lifted() {
      return lifted;
    },
    refresh(ageMs = everyMs) {
      if (isRunning || performance.now() - lastAt < ageMs - earlyMs) return;
      lastAt = performance.now();
      isRunning = true;
      running = refreshNow()
        .catch(() => undefined)
        .finally(() => {
          isRunning = false;
        });
    },
    finished: () => running,
    async stop() {
      isStopped = true;
      lastAt = Infinity;
      for (const kill of kills) kill();
      await running;
    },
  };
}

const notStarted = (error: unknown) => ({
  value: undefined,
  fault: `cannot be started: ${error instanceof Error ? error.message : String(error)}`,
});

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
