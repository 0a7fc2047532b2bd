import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFile, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startAgentServer } from '../../support/agent-server.ts';
import { beRobot, startAgent } from '../../support/agent-process.ts';
import { bin, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';
import { wrongClock } from '../../support/wrong-clock.ts';

const agentFile = fileURLToPath(new URL('../../../dist/agent.mjs', import.meta.url));
const unitFile = fileURLToPath(new URL('../../../docs/examples/fleet-agent.service', import.meta.url));

test('agent.mjs runs alone in an empty folder', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  const folder = join(home.path, 'alone');
  await mkdir(folder);
  await copyFile(agentFile, join(folder, 'agent.mjs'));
  expect((await stat(agentFile)).size).toBeLessThan(3 * 1024 * 1024);
  const env = { HOME: home.path, PATH: process.env['PATH'] ?? '' };
  const call = (...args: string[]) =>
    spawnSync(process.execPath, ['agent.mjs', ...args], { cwd: folder, env, encoding: 'utf8' });
  expect(call('--version').stdout).toMatch(/^fleet-agent\/\d+\.\d+\.\d+\n$/);
  const data = {
    robot_id: 'r-1',
    robot_token: 'svc_robot_test',
    robot_name: 'amr-007',
    org_id: 'o',
    site_id: 's',
    fleet_id: 'f',
  };
  server.answer = (request, response) => {
    expect(request.headers.authorization).toBe('Bearer svc_enroll_x');
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data }));
  };
  const args = ['agent.mjs', 'run', '--enrollment-key', 'svc_enroll_x', '--backend-url', server.url];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await server.until(() => server.messages('agent').length > 0);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(call('forget').status).toBe(0);
  expect(await readdir(folder)).toEqual(['agent.mjs']);
});

test('agent.mjs speaks of itself, by the name it has, and not of the client', async () => {
  await using home = await startHome();
  const env = { HOME: home.path, PATH: process.env['PATH'] ?? '' };
  const call = (file: string, args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(home.path, file), ...args], { env, encoding: 'utf8' });
    return stdout + stderr;
  };
  await copyFile(agentFile, join(home.path, 'agent.mjs'));
  const lines: [args: string[], said: string][] = [
    [[], 'node agent.mjs help <command>'],
    [['help'], 'node agent.mjs run --enrollment-key'],
    [['help', 'run'], '\n  node agent.mjs run [flags]\n'],
    [['simulate', '--help'], '\n  node agent.mjs simulate --count <n> [flags]\n'],
    [['rum'], 'unknown command "rum". Did you mean "run"?\n  List commands with: node agent.mjs help'],
    [['run', '--nmae'], 'Show usage with: node agent.mjs help run'],
    [['run'], 'Run: node agent.mjs run --enrollment-key <key>'],
    [['simulate', '--count', '1'], 'Run: node agent.mjs simulate --enrollment-key <key>'],
    [['robots', 'list'], 'unknown command "robots"'],
  ];
  for (const [args, said] of lines) {
    const text = call('agent.mjs', args);
    expect(text).toContain(said);
    expect(text).not.toMatch(/\bcli (?!keys new)/);
  }
  await mkdir(home.config, { recursive: true });
  await writeFile(join(home.config, 'agent.toml'), 'robot_id = "x"\n', { mode: 0o600 });
  expect(call('agent.mjs', ['run'])).toMatch(/node agent\.mjs run --fresh .* node agent\.mjs forget/);
  expect((await home.cli(['agent', 'run'])).stderr).toMatch(/cli agent run --fresh .* cli agent forget/);
});

test('its process is called fleet-agent, shows no key, and is known to its lock by that', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home, ['--enrollment-key', 'svc_enroll_secret']);
  await agent.sees('Connected to');
  const pid = (await readFile(join(home.config, 'agent.lock'), 'utf8')).split('\n')[0] ?? '';
  expect(await readFile(`/proc/${pid}/comm`, 'utf8')).toBe('fleet-agent\n');
  expect((await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', '')).toBe('fleet-agent');
  expect((await home.cli(['agent', 'run'])).stderr).toContain(
    `another agent is already running here, as process ${pid}`,
  );
});

testWith('mount')('a full disk loses what cannot be written, counted, and never ends the agent', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const state = join(home.path, 'state');
  await mkdir(state, { mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'none', state]);
  try {
    const file = join(home.path, 'a.log');
    await writeFile(file, '');
    await writeFile(join(state, 'filler'), '');
    await using agent = startAgent(home, ['--state-dir', state, '--log-file', file]);
    await agent.sees('Connected to');
    await appendFile(file, 'before\n');
    await server.until(() => server.messages(`file:${file}`).includes('before'));
    spawnSync('dd', ['if=/dev/zero', `of=${join(state, 'filler')}`, 'bs=1k', 'count=100']);
    // Far more than the disk and the memory for such times hold.
    await appendFile(file, `${'x'.repeat(4000)}\n`.repeat(700));
    const link = server.links[0];
    const beats = () => link?.frames.filter(({ type }) => type === 'heartbeat').length ?? 0;
    await server.until(() => beats() >= 2);
    await rm(join(state, 'filler'));
    const gaps = () => server.records().filter(({ type, source }) => type === 'gap' && source === 'agent');
    await server.until(() => gaps().length > 0);
    await appendFile(file, 'after\n');
    await server.until(() => server.messages(`file:${file}`).includes('after'));
    // Told when it began and when it was over, on stderr and in the logs. What the service has makes room, so that it may begin again.
    // The disk may take a part of a line before it takes nothing more.
    const told = [
      /logs cannot be kept in \S+spool: (ENOSPC|the disk took \d+ of)/g,
      /logs are kept in \S+spool again/g,
    ];
    const [began, wasOver] = told.map((each) => [...agent.text().matchAll(each)].length);
    expect(began).toBeGreaterThan(0);
    expect(wasOver).toBe(began);
    const levels = server
      .records()
      .filter(({ source, message }) => source === 'agent' && String(message).includes('kept in'))
      .map(({ level }) => level);
    expect(levels).toEqual(Array.from({ length: began ?? 0 }, () => ['warn', 'info']).flat());
    const kept = server.messages(`file:${file}`).filter((message) => message.startsWith('xxx')).length;
    const dropped = gaps().reduce((sum, gap) => sum + Number(gap.dropped), 0);
    expect(kept + dropped).toBeGreaterThanOrEqual(700);
    for (const gap of gaps()) expect(gap).toMatchObject({ level: 'warn', reason: 'quota' });
    expect(server.links.length).toBe(1);
    agent.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
  } finally {
    execFileSync('umount', ['-l', state]);
  }
});

test.each([
  ['on a full disk', '>/dev/full'],
  ['without a reader', '> >(true)'],
])('outputs %s do not end the agent', async (_, redirection) => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const line = `exec '${process.execPath}' '${bin}' agent run --heartbeat-seconds 1 ${redirection} 2>&1`;
  const env = { HOME: home.path, PATH: process.env['PATH'] ?? '' };
  const child = spawn('bash', ['-c', line], { env, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const beats = () => server.links[0]?.frames.filter(({ type }) => type === 'heartbeat').length ?? 0;
  await Promise.race([server.until(() => beats() >= 2), ended]);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(server.links).toHaveLength(1);
});

testWith('faketime').each(['1970-01-02 00:00:00', '2038-02-01 00:00:00'])(
  'a robot whose clock says %s is linked, and says how wrong its clock is',
  async (time) => {
    await using server = await startAgentServer();
    await using home = await startHome();
    await beRobot(home, server.url);
    await using clock = await wrongClock(`@${time}`);
    await using agent = startAgent(home, ['--heartbeat-seconds', '1'], clock.env);
    const { frames } = await server.until(() => server.links[0]);
    await server.until(() => frames.filter(({ type }) => type === 'heartbeat').length >= 3);
    const beat = frames.find((frame) => frame.type === 'heartbeat' && frame.health !== undefined);
    const offsetMs = beat?.type === 'heartbeat' ? (beat.health?.clock_offset_ms ?? 0) : 0;
    expect(Math.abs(offsetMs - (Date.parse(`${time.replace(' ', 'T')}Z`) - Date.now()))).toBeLessThan(86_400_000);
    await server.until(() => server.messages('agent').length > 0);
    expect(server.records()[0]?.ts).toContain(time.slice(0, 4));
    expect(server.invalid).toEqual([]);
    agent.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
  },
);

testWith('systemd-analyze')('the example unit is one that systemd takes', async () => {
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', unitFile], { encoding: 'utf8' });
  // Units of the machine that it depends on may be missing where systemd does not run.
  const own = stderr.split('\n').filter((line) => line.includes('fleet-agent') && !line.includes('network-online'));
  expect(own).toEqual([]);
  expect(status).toBe(0);
  const unit = await readFile(unitFile, 'utf8');
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'Restart=always', 'StateDirectory=fleet-agent'])
    expect(unit).toContain(`\n${line}\n`);
});
