import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../../support/agent-process.ts';
import { signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
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
  expect(topics.stderr).toContain('Its agent was started without a ROS graph');
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
