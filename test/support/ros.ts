import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ros1 from '@foxglove/ros1';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { tempDir } from './temp-dir.ts';
import { testWith } from './tools.ts';
import { until } from './until.ts';

/** A test with Debian's ROS 1. */
export const testWithRos = testWith('rosmaster', 'rostopic', 'rosnode');

/** Debian's ROS 1: a master, and publishing programs. */
export interface Ros extends AsyncDisposable {
  port: number;
  url: string; // ros1://…
  /**
   * Publishes a text repeatedly, with `rostopic pub`; the returned function ends it, with SIGINT as a person would, or
   * otherwise.
   */
  publish(topic: string, type: string, message: string, perSecond?: number): Promise<Publisher>;
  /** A `rospy` program, with rospy imported and its node initialized. */
  run(program: string): Promise<Publisher>;
  /** The master's state; a ROS command prints the same, but takes a second of CPU time to start. */
  graph(): Promise<Graph>;
  /** Output of a ROS command. */
  ask(command: string, ...args: string[]): Promise<string>;
  /** Kills the master; its state is lost. */
  stopMaster(): Promise<void>;
  /** The master accepts calls and responds to none. */
  haltMaster(): Promise<void>;
  /** Restarts the master at its port. */
  startMaster(): Promise<void>;
}

export interface Graph {
  published: Map<string, string[]>; // the nodes of a topic
  subscribed: Map<string, string[]>;
  nodes: string[];
}

export interface Publisher {
  child: ChildProcess;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Another Python that is first in PATH has none of Debian's packages. */
const path = '/usr/bin:/bin:/usr/sbin:/sbin';

export async function startRos(): Promise<Ros> {
  const home = await tempDir();
  const port = await freePort();
  const env = {
    PATH: path,
    HOME: home.path,
    ROS_HOME: home.path,
    ROS_LOG_DIR: join(home.path, 'log'),
    ROS_MASTER_URI: `http://127.0.0.1:${port}`,
    ROS_IP: '127.0.0.1',
    PYTHONUNBUFFERED: '1',
  };
  const children = new Set<ChildProcess>();

  function start(command: string, args: readonly string[]): Publisher {
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    children.add(child);
    const ended = once(child, 'exit');
    const end = async (signal: NodeJS.Signals = 'SIGINT') => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, signal);
      await ended;
      children.delete(child);
    };
    return { child, end };
  }

  async function killAll(): Promise<void> {
    await Promise.all(
      [...children].map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
        const ended = once(child, 'exit');
        process.kill(-child.pid, 'SIGKILL');
        await ended;
      }),
    );
  }
  // A test that times out never reaches its end: a flood would continue beside all later tests.
  onTestFinished(killAll);

  const master = new ros1.RosMasterClient(env.ROS_MASTER_URI);
  let masterProcess: Publisher | undefined;
  const ros: Ros = {
    port,
    url: `ros1://127.0.0.1:${port}`,
    async publish(topic, type, message, perSecond = 10) {
      const made = start('rostopic', ['pub', '-r', String(perSecond), topic, type, message]);
      while (!(await ros.graph()).published.has(topic)) await sleep(50);
      return made;
    },
    async run(program) {
      const file = join(home.path, `node-${children.size}-${Date.now()}.py`);
      await writeFile(file, program);
      return start('/usr/bin/python3', [file]);
    },
    async graph() {
      const [, , state] = await master.getSystemState('/test');
      const [published, subscribed, services] = (state as [string, string[]][][]).map((part) => new Map(part));
      if (!published || !subscribed || !services) throw new Error('the master knows of topics and services');
      const nodes = [published, subscribed, services].flatMap((part) => [...part.values()].flat());
      return { published, subscribed, nodes: [...new Set(nodes)] };
    },
    async ask(command, ...args) {
      const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(child, 'close');
      return Buffer.concat(chunks).toString();
    },
    async stopMaster() {
      await masterProcess?.end('SIGKILL');
    },
    async haltMaster() {
      masterProcess?.child.kill('SIGSTOP');
      // On a busy machine it runs for a moment longer.
      await until(async () => / T \d/.test(await readFile(`/proc/${masterProcess?.child.pid}/stat`, 'utf8')));
    },
    async startMaster() {
      masterProcess = start('/usr/bin/rosmaster', ['--core', '-p', String(port)]);
      await until(() => isOpen(port));
    },
    async [Symbol.asyncDispose]() {
      await killAll();
      await home[Symbol.asyncDispose]();
    },
  };
  await ros.startMaster();
  return ros;
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
