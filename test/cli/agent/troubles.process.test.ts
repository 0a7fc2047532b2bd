import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { healthPrograms } from '../../../cli/agent/health/programs.ts';
import { watchUnits } from '../../../cli/agent/sources/journal-units.ts';
import { troublesOf } from '../../../cli/agent/troubles.ts';
import { beRobot, startAgent } from '../../support/agent-process.ts';
import { startAgentServer, type AgentServer } from '../../support/agent-server.ts';
import { startHome } from '../../support/cli.ts';
import { hangDisk } from './hanging-disk.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testWith } from '../../support/tools.ts';

/** What was told, each as its level and its text. */
function listener(now?: () => number) {
  const told: string[] = [];
  return { told, troubles: troublesOf((level, message) => void told.push(`${level} ${message}`), now) };
}

const warnings = (server: AgentServer) =>
  server.records().flatMap(({ level, source, message }) => (level === 'warn' && source === 'agent' ? [message] : []));

async function program(path: string, script: string): Promise<void> {
  // Not in its place: a file that is open for writing cannot be run.
  await writeFile(`${path}.new`, `#!/bin/sh\n${script}\n`);
  await chmod(`${path}.new`, 0o700);
  await rename(`${path}.new`, path);
}

test('a trouble is told once, and its end; one that comes and goes no more than once in ten minutes', () => {
  let now = 0;
  const { told, troubles } = listener(() => now);
  troubles.over('disk', 'well');
  for (let minute = 0; minute < 30; minute += 1) {
    now = minute * 60_000;
    troubles.is('disk', 'full');
    troubles.is('disk', 'full');
    if (minute % 2 === 1) troubles.over('disk', 'well');
  }
  expect(told).toEqual(Array.from({ length: 3 }, () => ['warn full', 'info well']).flat());
  troubles.is('other', 'hot');
  expect(told.at(-1)).toBe('warn hot');
});

test('a program of health.d that fails in whatever way is told of once, with the way, and again when it works', async () => {
  await using folder = await tempDir();
  const at = (name: string) => join(folder.path, name);
  await program(at('babbles'), 'yes');
  await program(at('fails'), 'exit 3');
  await program(at('hangs'), 'sleep 987');
  await program(at('text'), 'echo hello');
  await writeFile(at('wrong'), '#!/no/such/shell\n');
  await chmod(at('wrong'), 0o700);
  const { told, troubles } = listener();
  const programs = healthPrograms(folder.path, { PATH: process.env['PATH'] ?? '' }, troubles, 0);
  const round = async () => {
    programs.refresh();
    await programs.finished();
  };
  await round();
  const adds = 'is left out of the health: it';
  expect(told.map((line) => line.replace(`${folder.path}/`, '')).sort()).toEqual([
    `warn babbles ${adds} printed more than 4096 bytes`,
    `warn fails ${adds} ended with 3`,
    `warn hangs ${adds} took more than 5 s`,
    `warn text ${adds} printed no JSON object`,
    expect.stringMatching(/^warn wrong .* cannot be started: spawn .* ENOENT$/),
  ]);
  for (const name of ['babbles', 'hangs', 'wrong']) await rm(at(name));
  await program(at('fails'), 'echo \'{"ok":true}\'');
  await round();
  await round();
  expect(told.slice(5)).toEqual([`info ${at('fails')} works again`]);
  expect(programs.said).toEqual({ fails: { ok: true } });
  await programs.stop();
});

test('a unit that systemd does not know is told of once, and when there is one', async () => {
  await using folder = await tempDir();
  const answer = (second: string) =>
    program(join(folder.path, 'systemctl'), `printf 'LoadState=loaded\\n\\nLoadState=${second}\\n'`);
  await answer('not-found');
  const { told, troubles } = listener();
  const environment = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` };
  const watch = watchUnits(['nav', 'lidra', 'dock-*'], environment, troubles, 50);
  const unknown = 'warn systemd has no unit lidra: no logs until it exists';
  await expect.poll(() => told).toEqual([unknown]);
  await answer('loaded');
  await expect.poll(() => told).toEqual([unknown, 'info systemd knows the unit lidra now']);
  watch.stop();
});

test('systemctl that cannot be started now is asked again', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'systemctl');
  await program(path, "echo 'LoadState=not-found'");
  const { told, troubles } = listener();
  // A file that is open for writing is not run; the system throws that.
  const writer = await open(path, 'r+');
  const watch = watchUnits(['nav'], { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` }, troubles, 50);
  await writer.close();
  await expect.poll(() => told).toEqual([expect.stringContaining('systemd has no unit nav')]);
  watch.stop();
});

test('a program of health.d for which too many files are open is told of, and the agent lives', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'lidar');
  await program(path, 'echo \'{"ok":true}\'');
  const { told, troubles } = listener();
  const programs = healthPrograms(folder.path, { PATH: process.env['PATH'] ?? '' }, troubles, 0);
  // Once nothing can be opened here, somebody else has to end that.
  const limit = `prlimit --pid ${process.pid} --nofile`;
  const helper = spawn('sh', [
    '-c',
    `was=$(${limit} --output=SOFT --noheadings); while read n; do ${limit}=\${n:-$was}: && echo done; done`,
  ]);
  const limitTo = (files: string) => {
    helper.stdin.write(`${files}\n`);
    return once(helper.stdout, 'data');
  };
  const used = new Set(readdirSync('/proc/self/fd').map(Number));
  let free = 0;
  while (used.has(free)) free += 1;
  // Room for one: to read the folder.
  try {
    await limitTo(String(free + 1));
    programs.refresh();
    await programs.finished();
  } finally {
    await limitTo('');
  }
  expect(told).toEqual([
    expect.stringMatching(/^warn .*lidar is left out of the health: it cannot be started: spawn .* EMFILE$/),
  ]);
  programs.refresh();
  await programs.finished();
  expect(told.slice(1)).toEqual([`info ${path} works again`]);
  helper.stdin.end();
  await programs.stop();
});

test('a command that is not found is told of once, on stderr and in the logs, and again when it runs', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const tool = join(home.path, 'navlog');
  await using agent = startAgent(home, ['--exec', tool, '--journal'], { PATH: home.path });
  const missing = `"${tool}" ended with 127; restarting it in`;
  await agent.sees(`Warning: ${missing}`);
  await agent.sees('Warning: journalctl cannot be started: spawn journalctl ENOENT');
  await server.until(() => warnings(server).length === 2);
  // It is tried again meanwhile.
  await server.until(() => server.messages('exec:navlog').length === 2);
  await program(tool, 'echo works');
  await agent.sees(`"${tool}" runs again`);
  await server.until(() => server.messages('agent').includes(`"${tool}" runs again`));
  expect(agent.text().split(missing)).toHaveLength(2);
  expect(warnings(server).filter((message) => String(message).includes(missing))).toHaveLength(1);
});

test('a state folder that cannot be made is told of, and the link comes up without it', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await writeFile(join(home.path, 'file'), '');
  for (const folder of ['/proc/x', '/proc/x/y', join(home.path, 'file', 'z')]) {
    await using agent = startAgent(home, ['--state-dir', folder]);
    await agent.sees(`Warning: cannot make ${folder}/agent.lock`);
    await agent.sees(`Warning: logs cannot be kept in ${folder}/spool`);
    await agent.sees('Connected to');
    agent.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
  }
  expect(server.links).toHaveLength(3);
});

testWith('mount', 'fuse')(
  'a state folder that hangs is told of, the link comes up without it and ends in order; once it answers, nothing is missing and orders are taken',
  async () => {
    await using server = await startAgentServer();
    await using home = await startHome();
    await beRobot(home, server.url);
    const state = join(home.path, 'state');
    const file = join(home.path, 'nav.log');
    const args = ['--state-dir', state, '--log-file', file];
    await mkdir(state);
    await writeFile(file, 'of before\n');
    {
      await using first = startAgent(home, args);
      await first.sees('Connected to');
      await appendFile(file, 'one\n');
      await server.until(() => server.messages(`file:${file}`).includes('one'));
      first.kill('SIGTERM');
      await first.ended;
    }
    using disk = hangDisk(state);
    await appendFile(file, 'two\n');
    {
      await using stuck = startAgent(home, args);
      await stuck.sees(`Warning: ${state} does not respond`);
      await stuck.sees('Connected to');
      const closed = new Promise<number>((resolve) => server.links.at(-1)?.socket.on('close', resolve));
      const began = performance.now();
      stuck.kill('SIGTERM');
      expect(await closed).toBe(1000);
      await stuck.ended;
      expect(performance.now() - began).toBeLessThan(20_000); // by itself, within 5 s where nothing else needs the machine
    }
    await using agent = startAgent(home, args);
    await agent.sees('Connected to');
    await appendFile(file, 'three\n');
    const takesOrders = () => {
      const hello = server.links.at(-1)?.frames[0];
      return hello?.type === 'hello' && hello.capabilities?.['orders'];
    };
    expect(takesOrders()).toBe(false);
    disk.mend();
    await server.until(() => server.messages(`file:${file}`).includes('three'));
    await server.until(takesOrders);
    expect(server.messages(`file:${file}`)).toEqual(['one', 'two', 'three']);
    expect(server.stored.size).toBe(1);
  },
);
