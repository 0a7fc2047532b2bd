import { expect } from 'vitest';
import { buildImage } from '../../packaging/container/image.ts';
import { freePort } from '../support/free-port.ts';
import { startPlainPostgres } from '../support/plain-postgres.ts';
import { startPodman } from '../support/podman.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { quickStart, tokenOfNewOrg } from './quick-start.ts';

interface Image {
  Config: { User: string; StopSignal: string; Labels: Record<string, string> };
}

testWith(
  'root',
  'podman',
  'busybox',
  'dpkg-deb',
  'postgresql',
)('the image runs confined, is healthy, deploys to an agent, and drains when it is stopped', async () => {
  await using podman = await startPodman();
  await using postgres = await startPlainPostgres();
  const image = 'localhost/fleet-control-service';
  await buildImage(image, podman.env);
  const [described] = JSON.parse(await podman.podman('image', 'inspect', image)) as Image[];
  expect(described?.Config).toMatchObject({ User: '10001:10001', StopSignal: 'SIGTERM' });
  expect(described?.Config.Labels['org.opencontainers.image.version']).toMatch(/^\d+\.\d+\.\d+/);

  const port = await freePort();
  const settings = { DATABASE_URL: postgres.url, PORT: String(port), SERVICE_ADMIN_TOKEN: 'a'.repeat(32), HOST: '' };
  const confined = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--network', 'host'];
  const set = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  await podman.podman('run', '--detach', '--name', 'fleet', ...confined, ...set, image);
  await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  await podman.podman('healthcheck', 'run', 'fleet');

  const inside = (code: string) => podman.podman('exec', 'fleet', 'node', '--eval', code);
  await expect(inside('require("fs").writeFileSync("/usr/x", "")')).rejects.toThrow('EROFS');
  expect(await inside('console.log(process.getuid(), require("fs").existsSync("/bin/sh"))')).toBe('10001 false\n');
  await inside('require("fs").writeFileSync("/var/lib/fleet-control-service/x", "")');

  const client = ['node', '/usr/lib/fleet-control-service/dist/cli/main.js'];
  const url = `http://127.0.0.1:${port}`;
  const cli = (line: string) => podman.podman('exec', 'fleet', ...client, ...line.split(' '));
  await quickStart({
    ...{ url, cli, file: '/usr/lib/fleet-control-service/LICENSE' },
    token: await tokenOfNewOrg({ url, cli }),
    startAgent(key) {
      const entry = ['--entrypoint', JSON.stringify(client), '--env', `SERVICE_ENROLLMENT_KEY=${key}`];
      const flags = ['agent', 'run', '--backend-url', url, '--name', 'amr-007'];
      return podman.podman('run', '--detach', '--name', 'robot', ...confined, ...entry, image, ...flags);
    },
  });
  await podman.podman('stop', '--time', '40', 'robot');

  await podman.podman('stop', '--time', '40', 'fleet');
  expect(await podman.podman('inspect', '--format', '{{.State.ExitCode}}', 'fleet')).toBe('0\n');
  expect(await podman.podman('logs', 'fleet')).toMatch(/"signal":"SIGTERM"[^]*"stopped"/);
});
