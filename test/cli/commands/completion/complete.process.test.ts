import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bin, listen, startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startTmux } from '../../../support/tmux.ts';
import { testWith } from '../../../support/tools.ts';
import { startWorld, type World } from '../../../support/world.ts';

const execute = promisify(execFile);

/** A home as after `cli login`, with `cli` in its PATH, and the environment of its shells. */
async function homeFor(url: string, token: string) {
  const home = await startHome();
  await mkdir(home.config, { recursive: true });
  const credentials = `token = "${token}"\nbase_url = "${url}"\n`;
  await writeFile(join(home.config, 'credentials.toml'), credentials, { mode: 0o600 });
  await mkdir(join(home.path, 'bin'));
  await writeFile(join(home.path, 'bin', 'cli'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  await chmod(join(home.path, 'bin', 'cli'), 0o755);
  const env = { HOME: home.path, PATH: `${join(home.path, 'bin')}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8' };
  const complete = async (...words: string[]) => {
    const { stdout, stderr } = await execute(process.execPath, [bin, '__complete', 'zsh', ...words], { env });
    expect(stderr).toBe('');
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
  };
  return Object.assign(home, { env, complete });
}

async function withPlaces(world: World) {
  const make = factories(world);
  const [osaka, nagoya] = [await make.site('Osaka'), await make.site('Nagoya West')];
  for (const site of [osaka, nagoya]) await make.fleet(site.id, 'pickers');
  await make.fleet(osaka.id, 'night shift');
  await make.release({ tag: 'nav-1.8.2' });
}

/** As a person does whose service is slow or whose machine is busy: Tab again. */
const eventually = { timeout: 20_000, interval: 300 };
const cacheOf = (home: Home) => join(home.path, '.cache', 'service', 'completion');

test('names of objects are offered, a fleet with its site where several have one of that name', async () => {
  await using world = await startWorld();
  await using home = await homeFor(world.url, world.orgToken);
  await withPlaces(world);
  await expect
    .poll(() => home.complete('robots', 'list', '--fleet', ''), eventually)
    .toEqual(['Osaka/pickers', 'Nagoya West/pickers', 'night shift']);
  await expect.poll(() => home.complete('robots', 'list', '--site=na'), eventually).toEqual(['--site=Nagoya West']);
  await expect.poll(() => home.complete('deploy', ''), eventually).toEqual(['latest', 'nav-1.8.2']);
  await factories(world).policy({ name: 'careful' });
  await expect.poll(() => home.complete('policies', 'show', ''), eventually).toEqual(['careful']);
  await expect.poll(() => home.complete('configs', 'set', 'k', '1', '--policy', ''), eventually).toEqual(['careful']);
});

test('names are kept for this user only, without the token, and used while the service is away', async () => {
  await using home = await (async () => {
    await using world = await startWorld();
    const made = await homeFor(world.url, world.orgToken);
    await withPlaces(world);
    await expect.poll(() => made.complete('robots', 'list', '--site', 'o'), eventually).toEqual(['Osaka']);
    const [file = ''] = await readdir(cacheOf(made));
    const path = join(cacheOf(made), file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(cacheOf(made))).mode & 0o777).toBe(0o700);
    expect(await readFile(path, 'utf8')).not.toContain(world.orgToken.slice(-12));
    return made;
  })();
  // Older than the 30 s for which it asks nothing.
  const [file = ''] = await readdir(cacheOf(home));
  const kept = JSON.parse(await readFile(join(cacheOf(home), file), 'utf8')) as { atMs: number }[];
  await writeFile(
    join(cacheOf(home), file),
    JSON.stringify(kept.map((each) => ({ ...each, atMs: each.atMs - 60_000 }))),
  );
  expect(await home.complete('robots', 'list', '--site', 'o')).toEqual(['Osaka']);
});

test('a service that does not respond leaves the words that need none, and no error', async () => {
  await using silent = await listen(() => undefined);
  await using home = await homeFor(silent.url, `svc_org_${'a'.repeat(64)}`);
  const started = performance.now();
  expect(await home.complete('deploy', '')).toEqual(['latest']);
  // 150 ms on a machine that does nothing else; the process starts in it.
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('of 100,000 robots those that contain the typed text are asked for; an older service gives its first', async () => {
  let knowsText = true;
  await using service = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://service');
    response.setHeader('Content-Type', 'application/json');
    if (!knowsText && searchParams.has('q')) return void response.writeHead(400).end('{"error":{}}');
    const name = searchParams.has('q') ? `${searchParams.get('q') ?? ''}-99999` : 'amr-1';
    return void response.end(JSON.stringify({ items: [{ name, online: true }], next_cursor: 'more' }));
  });
  await using home = await homeFor(service.url, `svc_org_${'a'.repeat(64)}`);
  await expect.poll(() => home.complete('robots', 'show', 'amr'), eventually).toEqual(['amr-99999']);
  expect(service.requests).toContain('GET /api/robots?limit=200&q=amr');
  knowsText = false;
  await expect.poll(() => home.complete('robots', 'show', 'am'), eventually).toEqual(['amr-1']);
});

test('no token, a damaged file and an unknown line give what is known without the service', async () => {
  await using home = await startHome();
  const ask = (...args: string[]) => home.start(['__complete', ...args], { input: '' }).ended;
  expect(await ask('zsh', 'robots', 'show', '')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await ask('zsh', 'nonsense', 'show', '')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await ask('zsh', 'releases', 'push', '')).toMatchObject({ code: 0, stdout: '\t\n' });
  await mkdir(home.config, { recursive: true });
  await writeFile(join(home.config, 'credentials.toml'), 'token = ', { mode: 0o644 });
  expect(await ask('fish', 'deploy', '')).toEqual({ code: 0, stdout: 'latest\tthe newest release\n', stderr: '' });
});

/** Shells that a person may have: how it starts without this machine's settings, and how it gets the script. */
const persons = [
  { shell: 'bash', start: 'exec bash --norc', load: 'source <(cli completion bash)' },
  { shell: 'zsh', start: 'exec zsh -f', load: 'autoload -U compinit; compinit -u; source <(cli completion zsh)' },
  { shell: 'fish', start: 'exec fish -N', load: 'cli completion fish | source' },
];

for (const { shell, start, load } of persons) {
  testWith('tmux', shell)(`${shell} inserts names as words of its own`, { timeout: 120_000 }, async () => {
    await using world = await startWorld();
    await using home = await homeFor(world.url, world.orgToken);
    await withPlaces(world);
    await using person = await startTmux({ ...home.env, TERM: 'xterm-256color' }, 100);
    await person.type(`${start}\r`);
    await person.type(`${load}\r`);
    await person.type('echo rea""dy\r');
    await person.sees(/^ready$/m);
    for (const [line, completed] of [
      ['cli robots list --fleet nig', 'cli robots list --fleet night\\ shift'],
      ['cli robots list --fleet "nig', 'cli robots list --fleet "night shift"'],
      ['cli robots list --fleet=Osa', 'cli robots list --fleet=Osaka/pickers'],
      ['cli robots list --fleet Nag', 'cli robots list --fleet Nagoya\\ West/pickers'],
      ['cli robots list --site Nagoya\\ ', 'cli robots list --site Nagoya\\ West'],
    ] as const) {
      await person.type(line);
      await expect
        .poll(
          async () => {
            await person.type('\t');
            return await person.screen();
          },
          { timeout: 20_000, interval: 800 },
        )
        .toContain(completed);
      // Ctrl-U: Ctrl-C would end a completion that still runs, and leave the line.
      await person.type('\u0015');
    }
  });
}
