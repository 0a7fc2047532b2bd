import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeCredentials } from '../../cli/files/credentials.ts';
import { bin } from '../support/cli.ts';
import { repository } from '../support/documents.ts';
import { factories } from '../support/factories.ts';
import { tempDir } from '../support/temp-dir.ts';
import { together } from '../support/together.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { startReader, type Reader, type Started } from './docs-terminal.ts';
import { startsAgent } from './long-commands.ts';
import type { Place } from './run-docs.ts';

/** Where the commands of the documentation are typed. */
export interface PreparedPlace extends AsyncDisposable {
  reader: Reader;
  place: Place;
}

/** The release maps-7: its file is in the current folder of the reader, beside an empty nav.log. */
const map = { name: 'maps-7.bin', bytes: 'a map\n' };

/**
 * A reader who is signed in to a service as the org itself, an admin. There are the site Osaka, the fleet pickers, the
 * robot amr-007, whose agent runs on the reader's machine with a shell, a camera and a log source, and the release
 * maps-7. The environment of the reader is new, so a document cannot depend on another one.
 */
export const startPreparedPlace = (): Promise<PreparedPlace> =>
  together(async (own): Promise<Omit<PreparedPlace, keyof AsyncDisposable>> => {
    const { path: home } = own(await tempDir());
    // Callers on this machine are admins of the service, as after `npm start`.
    const world = own(await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } }));
    const create = factories(world);
    const site = await create.site('Osaka');
    const fleet = await create.fleet(site.id, 'pickers');
    const key = (await world.call('POST', '/api/enrollment-keys', { body: { site_id: site.id, fleet_id: fleet.id } }))
      .body.data;
    const digest = createHash('sha256').update(map.bytes).digest('hex');
    await create.release({
      tag: 'maps-7',
      kind: 'file',
      artifact_sha256: digest,
      artifact_size: map.bytes.length,
    });
    await world.call('PUT', `/api/artifacts/${digest}`, {
      body: map.bytes,
      headers: { 'Content-Type': 'application/octet-stream' },
    });

    const [work, programs] = [join(home, 'work'), join(home, 'bin')];
    await mkdir(work);
    await mkdir(programs);
    await mkdir(join(home, '.config/service'), { recursive: true, mode: 0o700 });
    await writeFile(join(work, map.name), map.bytes);
    await writeFile(join(work, 'nav.log'), '');
    await symlink(bin, join(programs, 'cli'));
    await writeCredentials(join(home, '.config/service/credentials.toml'), world.orgToken, world.url);
    const reader = own(
      await startReader({
        cwd: work,
        env: { HOME: home, PATH: `${programs}:${process.env['PATH'] ?? ''}`, PAGER: 'cat' },
        setUp: [],
      }),
    );
    const startAgent = `cli agent run --backend-url ${world.url} --enrollment-key ${key.value} --name amr-007`;
    const options = `--allow-shell --camera test: --exec "echo 'battery 81 %'; sleep 600"`;
    let agent: Started | undefined = await reader.begin(`${startAgent} ${options}`, 'Connected');
    const place: Place = {
      instead: {
        'http://127.0.0.1:8080': world.url,
        'http://localhost:8080': world.url,
        'https://fleet.example.com': world.url,
        '/home/kim': home,
        'node agent.mjs': `node ${join(repository, 'dist/agent.mjs')}`,
        'docs/examples': join(repository, 'docs/examples'),
        'up as vm': `up as ${hostname()}`,
        // Of all file systems there may be some that must not be asked.
        'df -h': 'df -h .',
        '-C /tmp': `-C ${home}`,
      },
      goesOn: [{ lines: startsAgent, seen: 'Connected', untilTheEnd: true, begins: (started) => (agent = started) }],
      secrets: new Map([
        ['svc_enroll', key.value as string],
        ['svc_org', world.orgToken],
      ]),
      // A machine has one agent, and is a new robot if a document enrolls one more.
      async before(line) {
        if (!startsAgent.test(line)) return;
        await agent?.end();
        agent = undefined;
        if (line.includes('svc_enroll_')) await reader.type('cli agent forget');
      },
    };
    return { reader, place };
  });
