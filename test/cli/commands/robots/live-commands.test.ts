import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../../support/agent-process.ts';
import { signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { linkedAgent } from '../../../support/fake-agent.ts';
import { robotsOf } from '../../../support/robots.ts';
import { testWith } from '../../../support/tools.ts';
import { startWorld } from '../../../support/world.ts';

test('a robot gives a shell, a picture and a list of topics to a line each', async () => {
  await using world = await startWorld();
  await using robotHome = await startHome();
  await using home = await signedInHome(world);
  const { value } = await factories(world).key();
  const flags = ['--allow-shell', '--camera', 'front=test:?size=160x120&fps=20'];
  const link = ['--backend-url', world.url, '--enrollment-key', value, '--name', 'amr-007'];
  await using agent = startAgent(robotHome, [...flags, ...link]);
  await agent.sees('Connected to');
  const picture = join(home.path, 'now.jpg');
  const [shell, camera, topics] = await Promise.all([
    home.cli(['robots', 'shell', 'amr-007', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7']),
    home.cli(['robots', 'camera', 'amr-007', '--once', '--out', picture]),
    home.cli(['robots', 'topics', 'amr-007', 'list']),
  ]);
  expect(shell).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' });
  expect(camera).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await readFile(picture)).readUInt16BE(0)).toBe(0xffd8);
  expect(topics).toMatchObject({ code: 6, stdout: '' });
  expect(topics.stderr).toContain('\n  Start its agent on the robot with its ROS graph, such as: cli agent run --ros ');
});

test('a camera that a robot does not have is named with those that it has, and none with the flag of the agent', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const out = ['--once', '--out', join(home.path, 'now.jpg')];
  const link = async (name: string, cameras: string[]) =>
    linkedAgent(world.url, (await robotsOf(world).enroll(name)).robot_token, {
      hello: { capabilities: { logs: true, cameras } },
    });
  using front = await link('amr-007', ['front', 'arm']);
  using bare = await link('amr-008', []);
  const unknown = await home.cli(['robots', 'camera', 'amr-007', '--camera', 'frnt', ...out]);
  expect(unknown).toMatchObject({ code: 5, stdout: '' });
  expect(unknown.stderr).toContain(
    'Error: camera "frnt" not found on "amr-007"\n  Did you mean front? Its cameras: front, arm\n',
  );
  const none = await home.cli(['robots', 'camera', 'amr-008', ...out]);
  expect(none).toMatchObject({ code: 6, stdout: '' });
  expect(none.stderr).toContain(
    'Error: the robot offers no camera\n  Start its agent on the robot with a camera: cli agent run --camera <name>=<source>\n',
  );
  expect((await home.cli(['robots', 'shell', 'amr-008', '--', 'true'])).stderr).toContain(
    'cli agent run --allow-shell\n',
  );
  expect([front, bare].map(({ socket }) => socket.readyState)).toEqual([1, 1]);
});

testWith('script')(
  'the interface shows the robots on a terminal, and q ends it; without one it says what to use',
  async () => {
    await using world = await startWorld();
    await using home = await signedInHome(world);
    await factories(world).robot('amr-007');
    const ui = home.start(['ui'], { columns: 100 });
    await ui.sees('amr-007');
    ui.type('q');
    expect((await ui.ended).code).toBe(0);
    expect(await home.cli(['ui'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('cli robots list --watch') as string,
    });
  },
);
