import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signedInHome, type Home } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

/** What a line that works prints on stdout, without the last line feed. */
async function line(home: Home, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.cli(words);
  expect([words, code, stderr]).toEqual([words, 0, '']);
  return stdout.replace(/\n$/, '');
}

const fields = ['--fields', 'name,waves,advance,abort'];

test('a policy is created from its waves and rules, shown in the same words, changed in parts and deleted', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const created = [
    'policies',
    'create',
    'careful',
    '--wave',
    'canaries:tier=canary',
    '--wave',
    '10 %',
    '--soak',
    '30m',
  ];
  const rules = ['--abort', 'any 5% of 3', '--abort', 'failed,drift 3 within 1h then cancel'];
  const cells = (...texts: string[]) => texts.join('\t');
  const waves = 'canaries: tier=canary; 10%';
  const abort = 'any 5% of 3 then pause; failed,drift 3 within 1h then cancel';
  expect(await line(home, ...created, ...rules, ...fields)).toBe(
    cells('careful', waves, '100% applied, 1 ended, soak 30m, then advance', abort),
  );
  const update = (...flags: string[]) => line(home, 'policies', 'update', 'CAREFUL', ...flags, ...fields);
  expect(await update('--applied-percent', '95', '--offline-after', '1h', '--then', 'pause')).toBe(
    cells('careful', waves, '95% applied, 1 ended, soak 30m, offline after 1h, then pause', abort),
  );
  expect(await update('--offline-after', 'none', '--min-ended', '3', '--abort', 'any 2')).toBe(
    cells('careful', waves, '95% applied, 3 ended, soak 30m, then pause', 'any 2 then pause'),
  );
  expect(await update('--wave', '5', '--abort', 'none')).toBe(
    cells('careful', '5', '95% applied, 3 ended, soak 30m, then pause', ''),
  );
  expect(await update('--applied-percent', '0', '--min-ended', '0')).toBe(
    cells('careful', '5', '0% applied, 0 ended, soak 30m, then pause', ''),
  );
  expect(await update('--name', 'quick')).toMatch(/^quick\t5\t0% applied/);
  expect(await line(home, 'policies', 'list', '--fields', 'name,waves')).toBe('quick\t5');
  const id = await line(home, 'policies', 'show', 'quick', '--fields', 'id');
  const shown = await line(home, 'policies', 'show', id.slice(-8));
  for (const each of ['name\tquick', 'waves\t5', 'rollout.waves.0.count\t5']) expect(shown.split('\n')).toContain(each);
  expect(await line(home, 'policies', 'delete', id, '--fields', 'name')).toBe('quick');
  const gone = await home.cli(['policies', 'delete', 'quick']);
  expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('rollout policy "quick" not found')]);
});

test('a change of one part keeps the others as they are, whatever they contain', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const rollout = {
    waves: [{ name: 'a: b = "c"', selector: 'tier=canary 5', percent: 0.01 }],
    advance: { applied_percent: 99.5, min_ended: 2, soak: '1.5h', offline_after: '90s', then: 'pause' },
    abort: [{ reasons: ['any'], count: 3, min_ended: 2, within: '1h', per: 'wave', action: 'cancel' }],
  };
  await factories(world).policy({ name: 'odd', rollout });
  await line(home, 'policies', 'update', 'odd', '--soak', '2h');
  const changed = await line(home, 'policies', 'show', 'odd', '--jq', '.data.rollout');
  expect(JSON.parse(changed)).toEqual({ ...rollout, advance: { ...rollout.advance, soak: '2h' } });
});

test('the pace of a policy is set, printed as it is typed, kept by other changes, and removed part by part', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const rate = '10/min x2 per 100 to 500/min';
  const limits = ['--max-in-flight', '50', '--rate', rate, '--downloads-per-site', '4'];
  const created = await line(home, 'policies', 'create', 'fast', '--wave', '10%', ...limits, '--fields', 'pace');
  expect(created).toBe(`50 in flight, ${rate}, 4 downloads per site`);
  const shown = await line(home, 'policies', 'show', 'fast', '--jq', '.data.rollout.pace');
  expect(JSON.parse(shown)).toEqual({
    max_in_flight: 50,
    per_minute: 10,
    downloads_per_site: 4,
    growth: { factor: 2, after_applied: 100, up_to: 500 },
  });
  const update = (...flags: string[]) => line(home, 'policies', 'update', 'fast', ...flags, '--fields', 'pace');
  expect(await update('--soak', '1h')).toBe(created);
  expect(await update('--rate', '20/min')).toBe('50 in flight, 20/min, 4 downloads per site');
  expect(await update('--rate', 'none', '--max-in-flight', '5')).toBe('5 in flight, 4 downloads per site');
  expect(await update('--max-in-flight', 'none')).toBe('4 downloads per site');
  expect(await update('--downloads-per-site', 'none')).toBe('');
  expect(await line(home, 'policies', 'show', 'fast', '--jq', '.data.rollout.pace')).toBe('null');
  const table = await line(home, 'policies', 'update', 'fast', '--rate', '3/min', '-o', 'table');
  expect(table).toContain('3/min');
});

test('a rollout is read from a file or stdin, as a policy has it', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const rollout = { waves: [{ selector: 'tier=canary' }], advance: { soak: '1h' }, abort: [] };
  const file = join(home.path, 'rollout.json');
  await writeFile(file, JSON.stringify(rollout));
  expect(await line(home, 'policies', 'create', 'one', '--file', file, '--fields', 'waves')).toBe('tier=canary');
  const input = await line(home, 'policies', 'show', 'one', '--jq', '.data.rollout');
  const copied = await home.cli(['policies', 'create', 'two', '--file', '-', ...fields], { input });
  expect(copied).toMatchObject({
    code: 0,
    stdout: 'two\ttier=canary\t100% applied, 1 ended, soak 1h, then advance\t\n',
  });
  await line(home, 'policies', 'update', 'one', '--wave', '5', '--then', 'pause');
  expect(await line(home, 'policies', 'update', 'one', '--file', file, ...fields)).toBe(
    'one\ttier=canary\t100% applied, 1 ended, soak 1h, then advance\t',
  );
});

test('what is wrong with a rollout is said before anything is sent', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await factories(world).policy({ name: 'careful' });
  const [text, list] = [join(home.path, 'text'), join(home.path, 'list.json')];
  await writeFile(text, 'waves: 10%');
  await writeFile(list, '[]');
  const create = ['create', 'new'];
  const refused: [words: string[], code: number, text: string][] = [
    [create, 2, 'a rollout needs a wave'],
    [[...create, '--soak', '1h'], 2, 'a rollout needs a wave'],
    [[...create, '--wave', 'canaries'], 2, 'wave "canaries": "canaries" is neither a selector'],
    [[...create, '--wave', '5', '--abort', 'any'], 2, 'abort rule "any": a limit such as 3 or 5% must follow'],
    [[...create, '--wave', '5', '--abort', 'none', '--abort', 'any 5'], 2, '--abort none excludes other abort rules'],
    [[...create, '--wave', '5', '--applied-percent', '101'], 2, '--applied-percent takes 0 to 100'],
    [[...create, '--wave', '5', '--rate', 'fast'], 2, 'rate "fast": takes robots per minute'],
    [[...create, '--wave', '5', '--rate', '9/min x2 per 1 to 5/min'], 1, 'growth.up_to: must be at least per_minute'],
    [[...create, '--wave', '5', '--max-in-flight', '0'], 2, '--max-in-flight takes a number of robots or none'],
    [[...create, '--wave', '5', '--file', list, '--then', 'pause'], 2, '--file excludes --wave, --then'],
    [[...create, '--file', text], 2, 'is not a rollout as a JSON object'],
    [[...create, '--file', list], 2, 'is not a rollout as a JSON object'],
    [[...create, '--file', join(home.path, 'missing')], 1, 'cannot read'],
    [[...create, '--wave', '60%', '--wave', '60%'], 1, 'the percentages add up to 120 %'],
    [['update', 'careful'], 2, 'nothing to change'],
    [['update', 'carefull', '--soak', '1h'], 5, 'Did you mean careful?'],
    [['create', 'Careful', '--wave', '5'], 6, 'the org already has a rollout policy with this name'],
  ];
  for (const [words, code, message] of refused) {
    const answer = await home.cli(['policies', ...words]);
    expect([words, answer.code, answer.stderr]).toEqual([words, code, expect.stringContaining(message)]);
  }
  expect(await world.count('rollout_policies')).toBe(1);
});

test('--dry-run of a change prints the whole rollout that it would send', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { id } = await factories(world).policy({ name: 'careful' });
  const dry = await home.cli(['policies', 'update', 'careful', '--then', 'pause', '--dry-run', '--json']);
  expect(JSON.parse(dry.stdout)).toEqual({
    method: 'PATCH',
    path: `/api/rollout-policies/${id}`,
    body: {
      rollout: {
        waves: [{ percent: 10 }],
        advance: { applied_percent: 100, min_ended: 1, soak: '0s', then: 'pause' },
        abort: [],
      },
    },
  });
});

test('who must approve, and what becomes of older deployments, is set, changed in parts and removed', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const shown = ['--fields', 'approval,supersede'];
  const set = ['--wave', '1', '--approval', '2', '--approval-role', 'admin', '--then', 'approval'];
  expect(await line(home, 'policies', 'create', 'reviewed', ...set, ...shown)).toBe(
    '2 of role admin within 1d\treplace',
  );
  const update = (...flags: string[]) => line(home, 'policies', 'update', 'reviewed', ...flags, ...shown);
  expect(await update('--approval-expires', '2d', '--supersede', 'finish')).toBe('2 of role admin within 2d\tfinish');
  expect(await update('--soak', '1h')).toBe('2 of role admin within 2d\tfinish');
  expect(await update('--approval', '1', '--supersede', 'pause')).toBe('1 of role admin within 2d\tpause');
  expect(await update('--approval', 'none', '--then', 'pause')).toBe('\tpause');
  const wrong = async (...flags: string[]) => {
    const { code, stderr } = await home.cli(['policies', 'update', 'reviewed', ...flags]);
    expect(code).not.toBe(0);
    return stderr;
  };
  expect(await wrong('--approval', '0')).toContain('--approval takes 1 to 10, or none, not "0"');
  expect(await wrong('--approval', 'none', '--approval-role', 'admin')).toContain('--approval none excludes');
  expect(await wrong('--then', 'approval')).toContain('body.rollout.advance.then: approval needs the field approval');
});

test('windows and gates of a policy are set by flags, and stay when other parts change', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const rolloutOf = async (...words: string[]) => {
    const { windows, gates } = JSON.parse(await line(home, ...words, '--jq', '.data.rollout')) as Record<
      string,
      object
    >;
    return { windows, gates };
  };
  const night = { cron: '0 22 * * 1-5', duration: '6h' };
  const windows = {
    activate: [night],
    download: [{ cron: '0 12 * * *', duration: '2h' }],
    blackouts: [
      { from: '2026-12-24', to: '2026-12-26' },
      { from: '2027-01-01', to: '2027-01-01' },
    ],
    zone: 'Europe/Berlin',
    expected_duration: '10m',
    at_end: 'cancel',
  };
  const created = await rolloutOf(
    ...['policies', 'create', 'nightly', '--wave', '10%', '--window', '0 22 * * 1-5 for 6h', '--zone', 'Europe/Berlin'],
    ...['--download-window', '0 12 * * * for 2h', '--blackout', '2026-12-24..2026-12-26', '--blackout', '2027-01-01'],
    ...['--at-window-end', 'cancel', '--gate-wait', '30m', '--require-gates'],
  );
  expect(created).toEqual({ windows, gates: { max_wait: '30m', required: true } });
  const update = (...words: string[]) => rolloutOf('policies', 'update', 'nightly', ...words);
  expect(await update('--soak', '1h')).toEqual(created);
  expect(await update('--download-window', 'none', '--blackout', 'none', '--gate-wait', '2h')).toEqual({
    windows: { activate: [night], zone: 'Europe/Berlin', expected_duration: '10m', at_end: 'cancel' },
    gates: { max_wait: '2h', required: true },
  });
  expect((await update('--window', 'none')).windows).toBeUndefined();
  const refused = async (...words: string[]) =>
    (await home.cli(['policies', 'create', 'x', '--wave', '1', ...words])).stderr;
  expect(await refused('--zone', 'UTC')).toContain('the flag needs --window or --download-window');
  expect(await refused('--window', '0 22 * * *')).toContain('--window takes a cron and a duration, not "0 22 * * *"');
  expect(await refused('--window', '0 22 * * * for 6h', '--blackout', 'xmas')).toContain(
    '--blackout takes dates, not "xmas"',
  );
  expect(await refused('--window', 'none', '--window', '0 22 * * * for 6h')).toContain('--window none excludes others');
});
