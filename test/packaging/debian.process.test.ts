import { spawnSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeChecksums } from '../../packaging/checksums.ts';
import { buildDebianPackages } from '../../packaging/debian/packages.ts';
import type { Arch } from '../../packaging/node-binary.ts';
import { agentRelease } from '../support/agent-releases.ts';
import { startAgentServer } from '../support/agent-server.ts';
import { startBareRoot, testInBareRoot, type BareRoot } from '../support/bare-root.ts';
import { readUnit } from '../support/debian-unit.ts';
import { blocksOf, documentAt } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { startPlainPostgres } from '../support/plain-postgres.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { quickStart, tokenOfNewOrg } from './quick-start.ts';

const installer = fileURLToPath(new URL('../../packaging/install-agent.sh', import.meta.url));
const key = 'svc_enroll_test';

let folder: Awaited<ReturnType<typeof tempDir>>;
/** Of this version and the next one, without compression. */
const built = new Map<string, string>();

beforeAll(async () => {
  folder = await tempDir();
  for (const version of ['1.0.0', '1.0.1'])
    for (const path of await buildDebianPackages(join(folder.path, version), {
      version,
      arches: [process.arch as Arch],
      compression: ['-Znone'],
    }))
      built.set(basename(path).replace(/_[^_]*$/, ''), path);
});
afterAll(() => folder[Symbol.asyncDispose]());

const packageOf = (name: string): string => {
  const path = built.get(name);
  if (path === undefined) throw new Error(`${name} was not built`);
  return path;
};

/** All files of the system that are named after the package, without those of dpkg. */
const filesOf = async (root: BareRoot, name: string): Promise<string[]> => {
  const found = await root.sh(
    `find /etc /home /lib /root /run /usr /var -xdev -name '${name}*' -not -path '/var/lib/dpkg/*'`,
  );
  return found.split('\n').filter(Boolean).sort();
};

/** Puts the agent into the root as a release that is downloaded; returns the line that installs it from there. */
async function installOfAgent(root: BareRoot): Promise<string> {
  const from = packageOf('fleet-agent_1.0.0');
  const to = join(root.folder, 'srv', basename(from));
  await copyFile(from, to);
  await writeChecksums(join(root.folder, 'srv'), [to]);
  return `sh ${await root.put(installer)} --from file:///srv`;
}

testInBareRoot('a second build has the same bytes, and the other processor has its own program', async () => {
  const again = join(folder.path, 'again');
  const options = { names: ['fleet-agent'], version: '1.0.0', compression: ['-Znone'] } as const;
  const other = process.arch === 'x64' ? 'arm64' : 'x64';
  const paths = await buildDebianPackages(again, { ...options, arches: [process.arch as Arch, other] });
  const [same, foreign] = await Promise.all(paths.map((path) => readFile(path)));
  expect(same?.equals(await readFile(packageOf('fleet-agent_1.0.0')))).toBe(true);
  // The machine in the head of an ELF file, of the first one in the archive: node.
  const machines = { x64: 62, arm64: 183 };
  const head = foreign?.indexOf('\x7fELF', 0, 'latin1') ?? -1;
  expect(foreign?.readUInt16LE(head + 18)).toBe(machines[other]);
});

testWith('systemd-analyze')('systemd finds that the units are confined', () => {
  for (const name of ['fleet-agent', 'fleet-control-service']) {
    const unit = fileURLToPath(new URL(`../../packaging/debian/${name}/${name}.service`, import.meta.url));
    // Exposure of at most 2.0, of 10.
    const line = ['security', '--offline=true', '--threshold=20', '--no-pager', unit];
    const { status, stdout } = spawnSync('systemd-analyze', line, { encoding: 'utf8' });
    expect(stdout).toContain(`Overall exposure level for ${name}.service`);
    expect(status).toBe(0);
  }
});

test('the memory that a shell or hook of the agent takes ends that alone', () => {
  for (const path of ['packaging/debian/fleet-agent/fleet-agent.service', 'docs/examples/fleet-agent.service'])
    expect(documentAt(path).text).toMatch(/^OOMPolicy=continue$/m);
});

test('guides that name another folder for artifacts let the unit of the service write there', () => {
  const guide = documentAt('docs/how-to/several-replicas.md').text;
  const [, folder = ''] = /^SERVICE_DATA_DIR=(.*)$/m.exec(guide) ?? [];
  const dropIns = blocksOf(documentAt('docs/how-to/debian.md')).map(({ text }) => text);
  expect(dropIns).toContain(`[Service]\nReadWritePaths=${folder}\n`);
  expect(guide).toContain(`ReadWritePaths=${folder}`);
  expect(documentAt('packaging/debian/fleet-control-service/environment').text).toContain('ReadWritePaths=');
});

testWith('systemd-analyze')('the drop-in for shells of another user takes back what forbids them', async () => {
  const unit = documentAt('packaging/debian/fleet-agent/fleet-agent.service').text;
  const dropIn = blocksOf(documentAt('docs/how-to/debian.md')).find(({ text }) => text.includes('User=root'))?.text;
  await using work = await tempDir();
  /** The restrictions that systemd finds in the unit. */
  const restrictionsOf = async (text: string) => {
    const file = join(work.path, 'fleet-agent.service');
    await writeFile(file, text);
    const line = ['security', '--offline=true', '--json=short', '--no-pager', file];
    const { stdout } = spawnSync('systemd-analyze', line, { encoding: 'utf8' });
    const all = JSON.parse(stdout) as { set: boolean; json_field: string }[];
    return all.flatMap(({ set, json_field: name }) => (set ? name : []));
  };
  const forbidding = [
    ...['UserOrDynamicUser', 'NoNewPrivileges', 'ProtectSystem', 'ProtectHome', 'SystemCallFilter_privileged'],
    ...['SET_UID_GID_PCAP', 'CHOWN_FSETID_SETFCAP', 'DAC_FOWNER_IPC_OWNER', 'KILL', 'SYS_ADMIN'].map(
      (name) => `CapabilityBoundingSet_CAP_${name}`,
    ),
    ...['RestrictSUIDSGID', 'RestrictRealtime', 'RestrictNamespaces_user', 'RestrictAddressFamilies_OTHER'],
  ];
  expect(await restrictionsOf(unit)).toEqual(expect.arrayContaining(forbidding));
  const left = await restrictionsOf(`${unit}\n${dropIn}`);
  expect(forbidding.filter((name) => left.includes(name))).toEqual([]);
  // What does not concern users stays.
  expect(left).toContain('ProtectKernelModules');
});

testInBareRoot('the agent is installed by a script that verifies it, upgraded, removed and purged', async () => {
  await using root = await startBareRoot();
  await using server = await startAgentServer();
  const ids = { robot_id: 'r-1', org_id: 'o', site_id: 's', fleet_id: 'f' };
  const data = { ...ids, robot_token: 'svc_robot_test', robot_name: 'amr-007' };
  server.answer = (request, response) => {
    expect(request.headers.authorization).toBe(`Bearer ${key}`);
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data }));
  };
  const release = join(root.folder, 'srv');
  const install = `${await installOfAgent(root)} --service ${server.url}`;

  await writeFile(join(root.folder, 'key'), `${key}\n`, { mode: 0o600 });
  const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8');
  await writeFile(join(release, 'SHA256SUMS'), `${'0'.repeat(64)}${sums.slice(64)}`);
  const refused: [flags: string, why: string][] = [
    ['', 'no enrollment key: set SERVICE_ENROLLMENT_KEY or use --key-file'],
    [`--enrollment-key ${key}`, 'the key must not be on the command line'],
    ['--key-file /nowhere', '/nowhere cannot be read'],
    ['--key-file /key --from http://127.0.0.1:9', '--from with http needs --public-key'],
    ['--key-file /key', 'does not have the SHA-256 of SHA256SUMS; nothing was installed'],
  ];
  for (const [flags, why] of refused) await expect(root.sh(`${install} ${flags}`)).rejects.toThrow(why);
  expect(await filesOf(root, 'fleet-agent')).toEqual([]);

  await writeFile(join(release, 'SHA256SUMS'), sums);
  expect(await root.sh(`${install} --key-file /key`)).toContain('fleet-agent 1.0.0 is installed\n');
  expect(await root.sh(install, { SERVICE_ENROLLMENT_KEY: key })).toContain('1.0.0 is installed already\n');
  expect(await root.sh("stat -c '%a %U' /etc/fleet-agent/enrollment /var/lib/fleet-agent")).toBe(
    '600 root\n700 fleet-agent\n',
  );
  expect(await root.sh('ls /etc/systemd/system/multi-user.target.wants')).toContain('fleet-agent.service');

  await root.sh("sed -i 's/^FLEET_AGENT_FLAGS=.*/FLEET_AGENT_FLAGS=--spool-megabytes 8/' /etc/fleet-agent/environment");
  const agent = root.start((await readUnit(root.folder, 'fleet-agent')).start);
  const link = await server.until(() => server.links.find(({ frames }) => frames.some(({ type }) => type === 'hello')));
  agent.kill('SIGKILL');
  expect(link.request.headers.authorization).toBe('Bearer svc_robot_test');
  const identity = '/var/lib/fleet-agent/service/agent.toml';
  expect(await root.sh(`stat -c '%a %U' ${identity}`)).toBe('600 fleet-agent\n');

  const elsewhere = 'https://other.example.com';
  await expect(root.sh(`${install} --service ${elsewhere}`)).rejects.toThrow(
    `this robot belongs to ${server.url}: to upgrade its agent, give that --service`,
  );
  const again = await root.sh(`${install} --key-file /key 2>&1`);
  expect(again).toContain('this robot is enrolled already, so the key is not used: to enroll it again, run first');
  expect(again).toContain('1.0.0 is installed already\n');

  // A removed robot is enrolled again, here after its agent ran as root.
  await root.sh('chown -R root:root /var/lib/fleet-agent');
  expect(await root.sh('fleet-agent forget')).toContain('This machine is no longer amr-007');
  await root.sh('chown -R fleet-agent:fleet-agent /var/lib/fleet-agent; rm /etc/fleet-agent/enrollment');
  await root.sh(`${install} --key-file /key`);
  const enrolled = root.start((await readUnit(root.folder, 'fleet-agent')).start);
  await server.until(() => server.links.length > 1);
  enrolled.kill('SIGKILL');

  const next = await root.put(packageOf('fleet-agent_1.0.1'));
  // The edited file stays, and nobody is asked.
  await root.sh(`dpkg --install ${next} </dev/null`);
  expect(await root.sh("dpkg-query -W -f '${Version}' fleet-agent")).toBe('1.0.1');
  expect(await root.sh(`cat /etc/fleet-agent/environment ${identity}`)).toMatch(
    /--spool-megabytes 8[^]*svc_robot_test/,
  );
  expect(await root.sh('fleet-agent --version')).toMatch(/^fleet-agent\/\d/);

  await root.sh('dpkg --remove fleet-agent');
  expect(await filesOf(root, 'fleet-agent')).toEqual(
    expect.arrayContaining(['/etc/fleet-agent', '/var/lib/fleet-agent']),
  );
  await expect(root.sh('ls /usr/lib/fleet-agent')).rejects.toThrow('No such file');
  await root.sh(`test -e ${identity}`);
  await root.sh(`dpkg --purge fleet-agent`);
  expect(await filesOf(root, 'fleet-agent')).toEqual([]);
  await expect(root.sh('id fleet-agent')).rejects.toThrow('no such user');
});

testInBareRoot('the service starts with a database, deploys to an agent, is upgraded, removed and purged', async () => {
  await using root = await startBareRoot();
  await using postgres = await startPlainPostgres();
  const name = 'fleet-control-service';
  const files = await Promise.all(['1.0.0', '1.0.1'].map((version) => root.put(packageOf(`${name}_${version}`))));
  await root.sh(`dpkg --install ${files[0]}`);
  const settings = `/etc/${name}/environment`;
  const secrets = await root.sh(`cat /etc/${name}/secrets`);
  expect(secrets).toMatch(/^SERVICE_ADMIN_TOKEN=[0-9a-f]{64}\n$/);
  expect(await root.sh(`stat -c '%a %U %G' ${settings} /etc/${name}/secrets`)).toBe(
    `640 root ${name}\n640 root ${name}\n`,
  );
  const unconfigured = await readUnit(root.folder, name);
  await expect(root.sh(unconfigured.condition)).rejects.toThrow(`not started: set DATABASE_URL in ${settings}`);
  await expect(root.sh(`SERVICE_EMBEDDED=1 ${name} backup /tmp/backup`)).rejects.toThrow(`/var/lib/${name}`);
  await root.sh(`printf 'SERVICE_DATA_DIR=/srv/fleet\n' >>${settings}`);
  await expect(root.sh(`SERVICE_EMBEDDED=1 ${name} backup /tmp/backup`)).rejects.toThrow('/srv/fleet');
  await root.sh(`sed -i '/^SERVICE_DATA_DIR=/d' ${settings}`);

  const port = await freePort();
  await root.sh(`printf 'DATABASE_URL=%s\nPORT=%s\n' '${postgres.url}' ${port} >>${settings}`);
  const unit = await readUnit(root.folder, name);
  await root.sh(unit.condition);
  const service = root.start(unit.start);
  const said: Buffer[] = [];
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = new Promise((resolve) => service.on('close', resolve));
  const base = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (service.exitCode !== null) throw new Error(Buffer.concat(said).toString());
    return (await fetch(`${base}/readyz`)).ok;
  });
  const token = secrets.trim().replace(/.*=/, '');
  const created = await fetch(`${base}/api/admin/orgs`, { headers: { Authorization: `Bearer ${token}` } });
  expect(created.status).toBe(200);
  expect(await root.sh(`fleet-cli --base-url ${base} version`)).toMatch(/^\d+\./);
  expect((await fetch(`${base}/docs`)).status).toBe(200);
  const install = `${await installOfAgent(root)} --service ${base} --name amr-007`;
  const cli = (line: string) => root.sh(`fleet-cli ${line}`, { HOME: '/root', SERVICE_ADMIN_TOKEN: token });
  await quickStart({
    url: base,
    cli,
    file: '/etc/debian_version',
    token: await tokenOfNewOrg({ url: base, cli }),
    async startAgent(key) {
      await root.sh(install, { SERVICE_ENROLLMENT_KEY: key });
      await root.sh(
        "sed -i 's/^FLEET_AGENT_FLAGS=.*/FLEET_AGENT_FLAGS=--allow-shell --settle-seconds 1/' /etc/fleet-agent/environment",
      );
      root.start((await readUnit(root.folder, 'fleet-agent')).start);
    },
  });
  // An agent of a release has the terminals of the package: the parent of a shell is not `script`.
  const parentOf = () => cli("robots shell amr-007 -t -- sh -c 'cat /proc/$PPID/comm'");
  expect(await parentOf()).toBe('fleet-agent\r\n');
  await writeFile(join(root.folder, 'srv/agent.mjs'), await agentRelease('9.0.1'));
  await cli('releases push /srv/agent.mjs --tag agent-9.0.1 --kind agent --upload');
  await cli('deploy agent-9.0.1 --robot amr-007 --watch');
  expect(await cli('robots list --fields reported')).toContain('agent-9.0.1');
  expect(await parentOf()).toBe('fleet-agent\r\n');
  service.kill('SIGKILL');
  await ended;

  await root.sh(`dpkg --install ${files[1]} </dev/null`);
  expect(await root.sh(`cat /etc/${name}/secrets`)).toBe(secrets);
  expect(await root.sh(`cat ${settings}`)).toContain(postgres.url);
  await root.sh(`dpkg --remove ${name}`);
  await root.sh(`test -e /etc/${name}/secrets -a -d /var/lib/${name}`);
  await expect(root.sh(`ls /usr/lib/${name}`)).rejects.toThrow('No such file');
  await root.sh(`dpkg --purge ${name}`);
  expect(await filesOf(root, name)).toEqual([]);
});
