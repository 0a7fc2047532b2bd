import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgentServer } from '../../support/agent-server.ts';
import { beRobot, startAgent, stateOf } from '../../support/agent-process.ts';
import { startHome } from '../../support/cli.ts';

test('it says hello and its health, and ends with 0 and close code 1000 on a signal', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home);
  await agent.sees(`Connected to ${server.url} as amr-007`);
  const { frames, socket, request } = await server.until(() => server.links[0]);
  await server.until(() => frames.some(({ type }) => type === 'heartbeat'));
  expect(request.headers.authorization).toBe('Bearer svc_robot_test');
  expect(request.headers['user-agent']).toMatch(/^fleet-agent\/\d/);
  expect(frames[0]).toMatchObject({ type: 'hello', protocol: 1, capabilities: { logs: true } });
  const beat = frames.find((frame) => frame.type === 'heartbeat');
  expect(beat).toMatchObject({ health: { cpu: {}, memory: {}, spool: { dropped: 0 }, link: { reconnects: 0 } } });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const began = performance.now();
  agent.kill('SIGTERM');
  expect(await agent.ended).toMatchObject({ code: 0, stdout: 'amr-007\tr-1\n' });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(await closed).toBe(1000);
  expect(server.invalid).toEqual([]);
  expect((await stat(stateOf(home))).mode & 0o777).toBe(0o700);
  // Nothing stays behind that would stop the next one.
  await using next = startAgent(home, ['--json']);
  // Its first heartbeat follows the welcome.
  await server.until(() => server.links[1]?.frames.some(({ type }) => type === 'heartbeat'));
  next.kill('SIGINT');
  const ended = await next.ended;
  const lines = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(ended.code).toBe(0);
  expect(lines[0]).toMatchObject({ data: { robot_id: 'r-1' } });
  expect(lines.slice(1).map(({ status }) => status)).toEqual(['connecting', 'connected', 'ended']);
});

test('heartbeats come as the service proposes, and the flag wins', async () => {
  await using server = await startAgentServer();
  server.heartbeatSeconds = 1;
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home);
  const beats = (link: number) => server.links[link]?.frames.filter(({ type }) => type === 'heartbeat') ?? [];
  await server.until(() => beats(0).length === 3);
  // Only the first one is whole where nothing changes; a busy machine may change.
  expect(beats(0)[0]).toHaveProperty('health');
  agent.kill('SIGTERM');
  await agent.ended;
  server.heartbeatSeconds = 3600;
  await using other = startAgent(home, ['--heartbeat-seconds', '1']);
  await server.until(() => beats(1).length === 3);
  other.kill('SIGTERM');
  await other.ended;
  for (const wrong of ['0', '3601', '1.5', 'x']) {
    const refused = await home.cli(['agent', 'run', '--heartbeat-seconds', wrong]);
    expect(refused.code).toBe(2);
  }
});

test('a token that is no longer good ends it with 4 and says what to do', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home);
  (await server.until(() => server.links[0])).socket.close(4401);
  const ended = await agent.ended;
  expect(ended.code).toBe(4);
  expect(ended.stderr).toContain('--fresh');
  server.refuse = () => ({ status: 401 });
  expect((await home.cli(['agent', 'run'])).code).toBe(4);
  server.refuse = () => ({ status: 403 });
  expect((await home.cli(['agent', 'run'])).code).toBe(1);
  server.refuse = () => ({ status: 426 });
  const old = await home.cli(['agent', 'run']);
  expect(old.code).toBe(1);
  expect(old.stderr).toContain('Update this agent');
});

test('an outage is told once, and the link comes back', async () => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status: 503 });
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home);
  await agent.sees('Not connected: the service responded with 503. Next attempt in');
  server.refuse = undefined;
  await agent.sees('Connected to');
  server.links[0]?.socket.terminate();
  await agent.sees('Disconnected: the connection was lost. Next attempt in');
  await server.until(() => server.links.length === 2);
  expect(agent.text().match(/responded with 503/g)?.length).toBe(1);
});

test('a second agent in the same home is refused with the id of the first', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home);
  await agent.sees('Connected to');
  const second = await home.cli(['agent', 'run']);
  expect(second.code).toBe(6);
  expect(second.stderr).toMatch(/another agent is already running here, as process \d+/);
  const other = await home.cli(['agent', 'run'], { env: { XDG_CONFIG_HOME: join(home.path, 'other') } });
  expect(other.stderr).toContain('not a robot yet');
  await using apart = await startHome();
  await beRobot(apart, server.url);
  const sameState = await apart.cli(['agent', 'run', '--state-dir', stateOf(home)]);
  expect(sameState.code).not.toBe(0);
  expect(sameState.stderr).toMatch(/uses the folder .*, as process \d+/);
});

test('logs of files, commands and the agent arrive, each once, over outages and kill -9', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const file = join(home.path, 'nav.log');
  await writeFile(file, 'before the first start\n');
  const args = ['--log-file', file, '--exec', 'for i in 1 2 3; do echo "exec $i"; done; echo no >&2; sleep 20'];
  const source = `file:${file}`;
  const written: string[] = [];
  const write = async (count: number) => {
    const lines = Array.from({ length: count }, (_, index) => `line ${written.length + index}`);
    written.push(...lines);
    await appendFile(file, lines.map((line) => `${line}\n`).join(''));
  };
  {
    await using agent = startAgent(home, args);
    await agent.sees('Connected to');
    await server.until(() => server.messages('exec:for').length === 4);
    expect(server.messages('exec:for').sort()).toEqual(['exec 1', 'exec 2', 'exec 3', 'no']);
    await write(50);
    await server.until(() => server.messages(source).length === written.length);
    server.acknowledges = false;
    await write(50);
    await server.until(() =>
      server.links[0]?.frames.some((frame) => frame.type === 'logs' && frame.records.at(-1)?.message === 'line 99'),
    );
  }
  server.acknowledges = true;
  // Longer than a burst: what was written while the agent was down is waited for.
  await write(1500);
  for (let round = 0; round < 3; round += 1) {
    const seen = server.messages(source).length;
    await using agent = startAgent(home, args);
    await server.until(() => server.messages(source).length > seen);
    await write(20);
    agent.kill('SIGKILL');
    await agent.ended;
  }
  await using agent = startAgent(home, args);
  await server.until(() => server.messages(source).length >= written.length);
  await write(1);
  await server.until(() => server.messages(source).length >= written.length);
  expect(server.messages(source)).toEqual(written);
  expect(server.stored.size).toBe(1);
  expect(server.invalid).toEqual([]);
  expect(server.messages('agent').filter((message) => message.includes('started')).length).toBeGreaterThanOrEqual(4);
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
});

test('the environment of a command holds no key and no token', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const env = { SERVICE_ENROLLMENT_KEY: 'svc_enroll_secret', SERVICE_TOKEN: 'svc_user_secret', NAV_MODE: 'x' };
  await using agent = startAgent(home, ['--exec', 'env; echo end'], env);
  await agent.sees('Connected to');
  await server.until(() => server.messages('exec:env;').includes('end'));
  const told = server.messages('exec:env;');
  expect(told).toContain('NAV_MODE=x');
  expect(told.join('\n')).not.toContain('secret');
});

test('programs of health.d add to the health; one that hangs or babbles is killed whole', async () => {
  await using server = await startAgentServer();
  server.heartbeatSeconds = 1;
  await using home = await startHome();
  await beRobot(home, server.url);
  const folder = join(home.config, 'health.d');
  await mkdir(folder, { mode: 0o700 });
  const program = async (name: string, script: string, mode = 0o700) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), mode);
  };
  await program('lidar.sh', 'echo \'{"ok":true}\'');
  await program('hangs', `sleep 987 & echo $! > ${home.path}/pid; sleep 987`);
  await program('babbles', 'yes');
  await program('fails', 'echo \'{"a":1}\'; exit 3');
  await program('array', 'echo "[1]"');
  await program('open', 'echo \'{"a":1}\'', 0o777);
  await program('text', 'echo hello', 0o600);
  const unit = {
    estop: true,
    battery: { percent: 12, charging: true },
    mission: { state: 7 },
    diagnostics: { level: 'error', error: 1, items: [{ name: 'drive', level: 'error' }] },
  };
  await program('unit.sh', `echo '${JSON.stringify(unit)}'`);
  await using agent = startAgent(home);
  const link = await server.until(() => server.links[0]);
  const health = await server.until(() => {
    const told = link.frames.map((frame) => (frame.type === 'heartbeat' ? frame.health : undefined));
    return told.find((value) => value?.extra !== undefined);
  });
  expect(health.extra).toEqual({ lidar: { ok: true }, unit });
  expect(health).toMatchObject({ estop: true, battery: unit.battery, diagnostics: unit.diagnostics });
  expect(health).not.toHaveProperty('mission');
  await server.until(() => server.messages('agent').some((message) => message.includes('/state must be string')));
  await server.until(() => server.messages('agent').some((message) => message.includes('other users can write to it')));
  const pid = Number(await readFile(join(home.path, 'pid'), 'utf8'));
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ');
  expect(state).toMatch(/ Z /);
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
});

test('with --health-seconds, an emergency stop that a program reports is in a heartbeat seconds later', async () => {
  await using server = await startAgentServer();
  server.heartbeatSeconds = 1;
  await using home = await startHome();
  await beRobot(home, server.url);
  const [folder, button] = [join(home.config, 'health.d'), join(home.path, 'button')];
  await mkdir(folder, { mode: 0o700 });
  await writeFile(button, 'false');
  await writeFile(join(folder, 'estop.sh'), `#!/bin/sh\nprintf '{"estop":%s}' "$(cat ${button})"\n`, { mode: 0o700 });
  await using agent = startAgent(home, ['--health-seconds', '1']);
  const link = await server.until(() => server.links[0]);
  const stops = () => link.frames.flatMap((frame) => (frame.type === 'heartbeat' ? (frame.health?.estop ?? []) : []));
  await server.until(() => stops().at(-1) === false);
  await writeFile(button, 'true');
  const pressedAt = performance.now();
  await server.until(() => stops().at(-1) === true);
  // Without the flag, the program runs once a minute.
  expect(performance.now() - pressedAt).toBeLessThan(30_000);
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
});

test('a flood is cut to the rate and told of by gaps, which count what is missing', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await using agent = startAgent(home, ['--exec', 'seq 1 20000; echo end; sleep 20']);
  await agent.sees('Connected to');
  const gaps = () => server.records().filter((record) => record.type === 'gap' && record.source === 'exec:seq');
  const dropped = () => gaps().reduce((sum, { dropped: count }) => sum + Number(count), 0);
  await server.until(() => dropped() + server.messages('exec:seq').length === 20_001);
  expect(gaps()[0]).toMatchObject({ level: 'warn', reason: 'rate_limit' });
  expect(server.messages('exec:seq').length).toBeGreaterThanOrEqual(1000);
  expect(gaps().length).toBeLessThan(10);
});

test('a spool that was deleted under it is made anew, and what comes then arrives', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const file = join(home.path, 'a.log');
  await writeFile(file, '');
  await using agent = startAgent(home, ['--log-file', file]);
  await agent.sees('Connected to');
  await appendFile(file, 'one\n');
  await server.until(() => server.messages(`file:${file}`).includes('one'));
  await rm(join(stateOf(home), 'spool'), { recursive: true });
  // The first records after it may go down with the old folder.
  let count = 0;
  await server.until(() => {
    count += 1;
    void appendFile(file, `two ${count}\n`);
    return server.stored.size === 2 && server.messages(`file:${file}`).some((message) => message.startsWith('two'));
  });
  expect((await readdir(join(stateOf(home), 'spool'))).length).toBe(1);
});
