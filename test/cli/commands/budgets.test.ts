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

const fields = ['--fields', 'name,limit,by,selector'];
const cells = (...texts: string[]) => texts.join('\t');

test('a budget is created, shown, changed in parts and deleted', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const groups = ['--by', '@site', '--by', 'hall', '--selector', 'tier=canary'];
  expect(await line(home, 'budgets', 'create', 'pickers', ...groups, '--max-unavailable', '10 %', ...fields)).toBe(
    cells('pickers', 'at most 10% unavailable', '@site,hall', 'tier=canary'),
  );
  const update = (...flags: string[]) => line(home, 'budgets', 'update', 'PICKERS', ...flags, ...fields);
  expect(await update('--min-available', '3')).toBe(
    cells('pickers', 'at least 3 available', '@site,hall', 'tier=canary'),
  );
  expect(await update('--by', 'none', '--selector', '')).toBe(cells('pickers', 'at least 3 available', '', ''));
  expect(await update('--max-unavailable', '0', '--by', '@fleet')).toBe(
    cells('pickers', 'at most 0 unavailable', '@fleet', ''),
  );
  expect(await update('--name', 'all')).toBe(cells('all', 'at most 0 unavailable', '@fleet', ''));
  expect(await line(home, 'budgets', 'list', '--fields', 'name,limit')).toBe(cells('all', 'at most 0 unavailable'));
  const id = await line(home, 'budgets', 'show', 'all', '--fields', 'id');
  const shown = (await line(home, 'budgets', 'show', id.slice(-8))).split('\n');
  for (const each of ['name\tall', 'by\t@fleet', 'max_unavailable.count\t0']) expect(shown).toContain(each);
  const dry = await home.cli(['budgets', 'delete', 'all', '--dry-run']);
  expect(dry.stdout + dry.stderr).toMatch(/Delete disruption budget all[^]*at most 0 unavailable/);
  expect(await line(home, 'budgets', 'delete', id, '--fields', 'name')).toBe('all');
  const gone = await home.cli(['budgets', 'delete', 'all']);
  expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('disruption budget "all" not found')]);
});

test('what is wrong with a budget is said before anything is sent', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await factories(world).budget({ name: 'pickers' });
  const [create, most] = [
    ['create', 'new'],
    ['--max-unavailable', '1'],
  ];
  const refused: [words: string[], code: number, text: string][] = [
    [create, 2, 'a budget needs --max-unavailable or --min-available'],
    [[...create, ...most, '--min-available', '1'], 2, '--max-unavailable and --min-available exclude each other'],
    [[...create, '--max-unavailable', '1.5'], 2, '--max-unavailable takes a number or a percentage of robots'],
    [[...create, '--min-available', '101%'], 1, 'body.min_available.percent'],
    [[...create, ...most, '--by', 'none', '--by', '@site'], 2, '--by none excludes other groups'],
    [[...create, ...most, '--by', '@release'], 1, 'body.group_by: takes @site, @fleet and label keys'],
    [['update', 'pickers'], 2, 'nothing to change'],
    [['update', 'picker', ...most], 5, 'Did you mean pickers?'],
    [['create', 'Pickers', ...most], 6, 'the org already has a disruption budget with this name'],
  ];
  for (const [words, code, message] of refused) {
    const answer = await home.cli(['budgets', ...words]);
    expect([words, answer.code, answer.stderr]).toEqual([words, code, expect.stringContaining(message)]);
  }
  expect(await world.count('disruption_budgets')).toBe(1);
});
