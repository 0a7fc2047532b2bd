import { expect, test } from 'vitest';
import { faultKind, faultsOf } from '../../../../cli/commands/deployments/deployments-faults.ts';
import type { DeploymentOperations } from '../../../../cli/commands/deployments/deployment-operations.ts';
import { fleetSummary } from '../../../../cli/commands/deployments/deployments-summary.ts';
import type { AnyDeployment, Api, DeploymentTarget } from '../../../../cli/api/api.ts';
import { listen, startHome } from '../../../support/cli.ts';
import { testWith } from '../../../support/tools.ts';

const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81';
const at = '2026-11-22T03:04:05.000Z';
const none = { waiting: 0, dispatched: 0, downloading: 0, installing: 0, verifying: 0, cancelling: 0, rolling_back: 0 };
const ends = { applied: 0, failed: 0, rolled_back: 0, cancelled: 0 };
const idOf = (robot: number) => `0198c5a2-6a60-7e10-b1f0-${String(robot).padStart(12, '0')}`;

interface Told {
  status: string;
  reason?: string;
  message?: string;
  progress?: object;
}

/** A service with one deployment, whose robots amr-1, amr-2 … say these things, and what came of it on a terminal. */
async function showing(told: readonly Told[], { kind = 'fleet', status = 'failed', more = {} } = {}) {
  const targets = told.map((each, index) => ({ robot_id: idOf(index + 1), updated_at: at, ...each }));
  const robots = told.map((_each, index) => ({ id: idOf(index + 1), name: `amr-${index + 1}` }));
  const state = { events: [] as object[], status };
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const limit = Number(searchParams.get('limit') ?? 1000);
    const [wanted, robot] = [searchParams.get('status'), searchParams.get('robot_id')];
    const counts = { ...none, ...ends, total: told.length };
    for (const each of told) counts[each.status as keyof typeof counts] += 1;
    const answer = () => {
      if (pathname.endsWith('/events'))
        return { items: state.events.slice(Number(searchParams.get('after') ?? 0)).slice(0, limit) };
      if (pathname.endsWith('/targets'))
        return {
          items: targets
            .filter((each) => (wanted ?? each.status) === each.status && (robot ?? each.robot_id) === each.robot_id)
            .slice(0, limit),
        };
      if (pathname === '/api/robots') {
        const name = searchParams.get('name');
        return { items: robots.filter((each) => (name ?? each.name) === each.name) };
      }
      if (pathname.startsWith('/api/robots/')) return { data: robots[0] };
      if (!pathname.startsWith('/api/deployments/')) return { items: [] };
      const of = { target_kind: kind, target_id: idOf(1), active_minutes: 30, created_at: at };
      return { data: { id, release_id: 'r', ...of, status: state.status, counts, ...more } };
    };
    response.end(JSON.stringify(answer()));
  });
  const home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  return Object.assign(state, {
    home,
    /** Lines on a terminal, without colours. */
    async lines(...args: string[]) {
      const { stdout } = await home.cli([...args, '--no-color'], { columns: 100 });
      return stdout.replaceAll('\r', '').trimEnd().split('\n');
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  });
}

const event = (seq: number, robot: number, more: object) => ({
  id: `e-${seq}`,
  seq,
  at,
  status: 'in_progress',
  robot_id: idOf(robot),
  ...more,
});

const unhealthy = (port: number): Told => ({
  status: 'rolled_back',
  reason: 'verify_failed',
  message: `healthcheck exited with 1 after ${port} ms\nGET :${port}/health\n\u001b[31mrefused`,
});

test('what differs in numbers alone is one fault, and the first line and the reason tell it from others', () => {
  const kinds = [
    { reason: 'verify_failed', message: 'container 9f86d081884c exited with 1\nat 12:04' },
    { reason: 'verify_failed', message: 'container 60303ae22b99 exited with 137\nat 13:40, by signal 9' },
    { reason: 'verify_failed', message: 'container 9f86d081884c was not started' },
    { reason: 'no_space', message: 'container 9f86d081884c exited with 1' },
    { reason: 'verify_failed' },
    {},
  ].map(faultKind);
  expect(kinds[0]).toBe(kinds[1]);
  expect(new Set(kinds).size).toBe(5);
  const targets = Array.from({ length: 40 }, (_, n) => ({
    robot_id: String(n),
    status: 'failed',
    updated_at: at,
    reason: n < 25 ? `r-${'abcdefghijklmnopqrstuvwxy'[n] ?? ''}` : 'usual',
  })) satisfies DeploymentTarget[];
  const { faults, others } = faultsOf(targets);
  expect(faults[0]).toMatchObject({ reason: 'usual', targets: { length: 15 } });
  expect([faults.length, others]).toEqual([10, 16]);
});

testWith('script')(
  'a fleet that fails alike is shown as one fault with one tail, and how to see what another robot said',
  async () => {
    const told = [
      ...Array.from({ length: 498 }, (_, n) => unhealthy(8_000 + n)),
      { status: 'rolled_back', reason: 'no_space', message: '/var has no space for the artifact' },
      { status: 'rolled_back' },
    ];
    await using scene = await showing(told, { status: 'rolled_back' });
    const lines = await scene.lines('deployments', 'show', id);
    expect(lines.slice(lines.indexOf('Rolled back: 500'))).toEqual([
      'Rolled back: 500',
      expect.stringMatching(/^amr-1, amr-2, amr-3 and 495 more {2}verify_failed {2}\S/),
      '  healthcheck exited with 1 after 8000 ms',
      '  GET :8000/health',
      '  ␛[31mrefused',
      expect.stringMatching(/^amr-499 {2}no_space {2}\S/),
      '  /var has no space for the artifact',
      expect.stringMatching(/^amr-500 {2}\S/),
      `Message of another robot: cli deployments targets ${id} --robot amr-2`,
    ]);
    const other = await scene.lines('deployments', 'targets', id, '--robot', 'amr-2');
    expect(other).toEqual([
      expect.stringMatching(/^ROBOT +STATUS +REASON +/),
      expect.stringMatching(/^amr-2 +rolled back +verify_failed/),
      '  healthcheck exited with 1 after 8001 ms',
      '  GET :8001/health',
      '  ␛[31mrefused',
    ]);
    const raw = await scene.home.cli(['deployments', 'targets', id, '--robot', 'amr-2', '--json']);
    expect(JSON.parse(raw.stdout)).toEqual({ items: [{ robot_id: idOf(2), updated_at: at, ...unhealthy(8_001) }] });
  },
);

testWith('script')(
  'more robots than are looked at are counted, and one that says a lot is cut to the end of it, unless it is asked for',
  async () => {
    const long = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n');
    const told = Array.from({ length: 600 }, () => ({ status: 'failed', reason: 'timed_out', message: long }));
    await using scene = await showing(told);
    const lines = await scene.lines('deployments', 'show', id);
    expect(lines).toContain('Failed: 600, the first 500 of them');
    const first = lines.indexOf('  line 0');
    expect(lines.slice(first, first + 3)).toEqual(['  line 0', '  …', '  line 40']);
    expect(lines[first + 21]).toBe('  line 59');
    expect(await scene.lines('deployments', 'targets', id, '--robot', 'amr-7')).toHaveLength(62);
  },
);

testWith('script')(
  'a watched fleet that fails alike has its tail once; robots that fail otherwise have their own',
  async () => {
    await using scene = await showing([unhealthy(1), unhealthy(2), unhealthy(3)], { status: 'rolled_back' });
    const ended = ({ status, ...more }: Told) => ({ target_status: status, ...more });
    scene.events = [
      event(1, 1, ended(unhealthy(1))),
      event(2, 2, ended(unhealthy(2))),
      event(3, 3, { ...ended(unhealthy(3)), reason: 'no_space', status: 'rolled_back' }),
    ];
    const lines = await scene.lines('deployments', 'watch', id, '--verbose');
    const time = new Date(at).toTimeString().slice(0, 8);
    const tail = (port: number) => [
      `          healthcheck exited with 1 after ${port} ms`,
      `          GET :${port}/health`,
      '          ␛[31mrefused',
    ];
    expect(lines.slice(0, 9)).toEqual([
      `${time}  rolled back   amr-1  verify_failed`,
      ...tail(1),
      `${time}  rolled back   amr-2  verify_failed  as amr-1`,
      `${time}  rolled back   amr-3  no_space`,
      ...tail(3),
    ]);
    const piped = await scene.home.cli(['deployments', 'watch', id, '--json']);
    expect(piped.stdout.trimEnd().split('\n')).toEqual(scene.events.map((each) => JSON.stringify(each)));
  },
);

testWith('script')('a watched fleet is one line, and robots that failed are named at the end', async () => {
  const told = [
    ...Array.from({ length: 23 }, () => ({
      status: 'failed',
      reason: 'no_space',
      message: `/var\u001b[2J is full ${'x'.repeat(99)}`,
    })),
    ...Array.from({ length: 7 }, () => ({ status: 'applied' })),
  ];
  await using scene = await showing(told);
  scene.events = [
    ...Array.from({ length: 30 }, (_, n) => event(n + 1, n + 1, { target_status: 'installing' })),
    { ...event(31, 1, {}), status: 'failed', robot_id: undefined },
  ];
  const lines = await scene.lines('deployments', 'watch', id);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}failed$/);
  expect(lines.slice(1, 22).map((line) => line.slice(0, 45))).toEqual([
    ...Array.from({ length: 20 }, (_, n) =>
      `  amr-${n + 1}  no_space  /var␛[2J is full ${'x'.repeat(99)}`.slice(0, 45),
    ),
    `  and 3 more: cli deployments targets ${id} --status failed`.slice(0, 45),
  ]);
  expect(Math.max(...lines.slice(1, 21).map(({ length }) => length))).toBe(100);
  expect(lines.slice(22)).toEqual([
    'Error: the deployment ended as failed: 7 applied, 23 failed',
    `  More: cli deployments show ${id}`,
  ]);
  const piped = await scene.home.cli(['deployments', 'watch', id, '--fields', 'seq']);
  expect(piped.stdout.split('\n')).toHaveLength(32);
});

test('the line of a fleet has what its robots do, who is offline, and how fast it goes', async () => {
  let nowMs = 0;
  const waits = [{ code: 'offline' }, { code: 'offline' }, { code: 'dispatch' }];
  const operations = {
    targets: () => Promise.resolve({ body: { items: waits.map((waiting_on) => ({ waiting_on })) } }),
  };
  const summary = fleetSummary({} as Api, operations as unknown as DeploymentOperations, id, () => nowMs);
  const counts = { ...none, ...ends, total: 200, waiting: 143, applied: 42, failed: 3, installing: 12 };
  const deployment = { id, status: 'in_progress', counts } as unknown as AnyDeployment;
  expect(await summary.line(deployment)).toBe('42/200 applied · 3 failed · 12 working · 2 offline · 141 waiting');
  nowMs = 10_000;
  const later = { ...deployment, counts: { ...counts, applied: 63 } };
  expect(await summary.line(later)).toBe('63/200 applied · 3 failed · 12 working · 2 offline · 141 waiting · 2.1/s');
});

testWith('script')('the progress of a robot is shown with it, and on one line while it is watched', async () => {
  const progress = { percent: 40, text: '412 of 1024 MiB\u001b[2J', at };
  await using scene = await showing([{ status: 'downloading', progress }], { kind: 'robot', status: 'in_progress' });
  const lines = await scene.lines('deployments', 'show', id);
  expect(lines).toContainEqual(expect.stringMatching(/^amr-1 {2}downloading {2}.* {2}40% 412 of 1024 MiB␛\[2J$/));
  const watching = scene.home.start(['deployments', 'watch', id, '--no-color'], { columns: 80 });
  await watching.sees('amr-1 downloading 40% 412 of 1024 MiB␛[2J\u001b[K');
  watching.kill('SIGKILL');
  await watching.ended;
});
