import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { beRobot, stateOf } from '../../../support/agent-process.ts';
import { startAgentServer, type AgentServer } from '../../../support/agent-server.ts';
import { agentRelease, childrenOf, isGone, type UpdateFile } from '../../../support/agent-releases.ts';
import { startHome, type Home, type Running } from '../../../support/cli.ts';
import { sha256 } from '../../../support/orders.ts';
import { smallDisk, type SmallDisk } from '../../../support/small-disk.ts';
import { testWith } from '../../../support/tools.ts';
import { until } from '../../../support/until.ts';

const homeOf = (home: Home) => join(stateOf(home), 'releases', 'agent');
const recordPath = (home: Home) => join(homeOf(home), 'update.json');
const recordOf = async (home: Home) => JSON.parse(await readFile(recordPath(home), 'utf8')) as UpdateFile;

/** Puts an agent there as an order would have, and gives its digest. */
async function putAgent(home: Home, text: string, record: object = {}): Promise<string> {
  const digest = sha256(text);
  await mkdir(join(homeOf(home), digest), { recursive: true, mode: 0o700 });
  await chmod(stateOf(home), 0o700);
  await writeFile(join(homeOf(home), digest, 'agent.mjs'), text);
  await writeFile(recordPath(home), JSON.stringify({ current: { digest, version: '9.0.1' }, ...record }));
  return digest;
}

async function started(home: Home, server: AgentServer, args: readonly string[] = []) {
  const links = server.links.length;
  const running = home.start(['agent', 'run', ...args]);
  await server.until(() => server.links[links]?.frames[0]);
  return { running, child: (await childrenOf(running.pid))[0] };
}

const versionOf = (server: AgentServer) => {
  const frame = server.links.at(-1)?.frames[0];
  return frame?.type === 'hello' ? frame.agent_version : undefined;
};

const endOf = async (running: Running) => (await running.ended).code;

test('who stops the supervisor stops the agent, in order or at once, and sees it end as an agent does', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await putAgent(home, await agentRelease('9.0.1'));
  {
    const { running, child } = await started(home, server);
    expect(versionOf(server)).toBe('fleet-agent/9.0.1');
    running.kill('SIGTERM');
    expect(await endOf(running)).toBe(0);
    expect(await isGone(child)).toBe(true);
    expect(server.messages('agent').at(-1)).toBe('the agent was stopped');
  }
  {
    // A service manager signals both of them: that is one signal, not two.
    const { running, child } = await started(home, server);
    const stops = () => server.messages('agent').filter((message) => message === 'the agent was stopped').length;
    const before = stops();
    process.kill(child ?? 0, 'SIGINT');
    running.kill('SIGINT');
    expect(await endOf(running)).toBe(0);
    expect(stops()).toBe(before + 1);
  }
  {
    const { running, child } = await started(home, server);
    process.kill(child ?? 0, 'SIGSTOP');
    const beganMs = performance.now();
    running.kill('SIGINT');
    running.kill('SIGTERM');
    // By the second signal, and not by the supervisor's own limit of 6 s. Signals that are pending at once arrive in either order.
    expect([130, 137]).toContain(await endOf(running));
    expect(performance.now() - beganMs).toBeLessThan(5_000);
    expect(await isGone(child)).toBe(true);
  }
  {
    const refused = { status: 403 };
    const { running } = await started(home, server);
    server.refuse = () => refused;
    server.links.at(-1)?.socket.terminate();
    expect(await endOf(running)).toBe(1);
    server.refuse = undefined;
  }
});

test('an agent whose supervisor is killed ends within 5 s, and whoever starts the next one need not wait', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await putAgent(home, await agentRelease('9.0.1'));
  const first = await started(home, server);
  first.running.kill('SIGKILL');
  const beganMs = performance.now();
  const starting = started(home, server);
  await until(() => isGone(first.child));
  expect(performance.now() - beganMs).toBeLessThan(6_000); // the next supervisor ends it then
  const second = await starting;
  expect(versionOf(server)).toBe('fleet-agent/9.0.1');
  // One that hangs does not hear of the end of its supervisor; the next supervisor ends it.
  process.kill(second.child ?? 0, 'SIGSTOP');
  second.running.kill('SIGKILL');
  const third = await started(home, server);
  expect(await isGone(second.child)).toBe(true);
  // A third one is told who runs.
  const other = await home.cli(['agent', 'run']);
  expect(other.code).toBe(6);
  expect(other.stderr).toContain(`another agent is already running here, under process ${third.running.pid}`);
  third.running.kill('SIGTERM');
  expect(await endOf(third.running)).toBe(0);
});

test('an agent that crashed is started again, without enrolling again', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await putAgent(home, await agentRelease('9.0.1'));
  let enrolled = 0;
  server.answer = (_request, response) => {
    enrolled += 1;
    const data = {
      robot_id: 'r-2',
      robot_token: 'svc_robot_2',
      robot_name: 'amr-8',
      org_id: 'o',
      site_id: 's',
      fleet_id: 'f',
    };
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data }));
  };
  const args = ['--fresh', '--enrollment-key', 'svc_enroll_x', '--backend-url', server.url];
  const { running, child } = await started(home, server, args);
  expect(enrolled).toBe(1);
  process.kill(child ?? 0, 'SIGKILL');
  await running.sees('restarts in');
  await server.until(() => server.links[1]?.frames[0]);
  expect(enrolled).toBe(1);
  expect(server.links[1]?.request.headers.authorization).toBe('Bearer svc_robot_2');
  running.kill('SIGTERM');
  expect(await endOf(running)).toBe(0);
});

test('an agent that hangs on probation is taken back by its supervisor', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const probation = { starts: 0, limit_seconds: 3 };
  const digest = await putAgent(home, await agentRelease('9.0.1', { fault: 'hangs' }), { probation });
  const running = home.start(['agent', 'run']);
  await running.sees('Agent 9.0.1 is rolled back: it did not pass its probation within 3 s');
  await server.until(() => versionOf(server) !== undefined && versionOf(server) !== 'fleet-agent/9.0.1');
  expect(await recordOf(home)).toMatchObject({ taken_back: { digest } });
  running.kill('SIGTERM');
  expect(await endOf(running)).toBe(0);
});

test('probation counts also the starts of a machine or a manager that ends the supervisor each time', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const digest = await putAgent(home, await agentRelease('9.0.1'), { probation: { starts: 0, limit_seconds: 300 } });
  for (const starts of [1, 2, 3]) {
    const { running } = await started(home, server);
    expect(versionOf(server)).toBe('fleet-agent/9.0.1');
    expect(await recordOf(home)).toMatchObject({ probation: { starts } });
    running.kill('SIGKILL');
    await running.ended;
  }
  const { running } = await started(home, server);
  expect(versionOf(server)).not.toBe('fleet-agent/9.0.1');
  const why = 'it was started 3 times, and never passed its probation';
  expect(await recordOf(home)).toMatchObject({ taken_back: { digest, why } });
  running.kill('SIGTERM');
  expect(await endOf(running)).toBe(0);
});

/** Puts the state folder of that home on that disk. */
async function keepStateOn(disk: SmallDisk, home: Home): Promise<void> {
  await mkdir(dirname(stateOf(home)), { recursive: true });
  await symlink(disk.path, stateOf(home));
}

testWith('mount')('starts of a new agent count also while the disk is full, and so it is rolled back', async () => {
  using disk = smallDisk(1024 * 1024);
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await keepStateOn(disk, home);
  const text = 'console.error("the new agent gives up"); process.exit(1);\n';
  await putAgent(home, text, { probation: { starts: 0, limit_seconds: 300 } });
  disk.fill();
  const running = home.start(['agent', 'run']);
  await running.sees('Agent 9.0.1 is rolled back: it was started 3 times, the last time it exited with 1');
  await server.until(() => versionOf(server) !== undefined);
  expect(versionOf(server)).not.toBe('fleet-agent/9.0.1');
  expect(running.text().match(/gives up/g)).toHaveLength(3);
  running.kill('SIGTERM');
  expect(await endOf(running)).toBe(0);
});

testWith('mount')(
  'the agent starts after a power cut that ended its supervisor and left a read-only disk',
  async () => {
    using disk = smallDisk(1024 * 1024);
    await using server = await startAgentServer();
    await using home = await startHome();
    await beRobot(home, server.url);
    await keepStateOn(disk, home);
    await mkdir(homeOf(home), { recursive: true });
    const beyondAllPids = 2 ** 22;
    await writeFile(join(homeOf(home), 'child.json'), JSON.stringify({ pid: beyondAllPids, started: 'another boot' }));
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    const { running } = await started(home, server);
    running.kill('SIGTERM');
    expect(await endOf(running)).toBe(0);
  },
);

test('what is damaged on the disk, or older than an agent that somebody installed since, is not started', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const digest = await putAgent(home, await agentRelease('9.0.1'), { installed: '0.0.1' });
  {
    const { running } = await started(home, server);
    expect(versionOf(server)).not.toBe('fleet-agent/9.0.1');
    expect((await recordOf(home)).taken_back?.why).toContain('the installed agent was replaced: it was 0.0.1');
    running.kill('SIGTERM');
    expect(await endOf(running)).toBe(0);
  }
  await putAgent(home, await agentRelease('9.0.1'));
  await writeFile(join(homeOf(home), digest, 'agent.mjs'), 'half of i');
  const { running } = await started(home, server);
  expect(versionOf(server)).not.toBe('fleet-agent/9.0.1');
  expect(await recordOf(home)).toMatchObject({ taken_back: { digest, why: 'its file is damaged or missing' } });
  expect((await home.cli(['doctor'])).stdout).toMatch(
    /^warn\tagent\t.*, as installed\. A release was rolled back: its file/m,
  );
  running.kill('SIGTERM');
  expect(await endOf(running)).toBe(0);
});
