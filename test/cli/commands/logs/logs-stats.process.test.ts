import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { countLines } from '../../../support/log-counts.ts';
import { startWorld } from '../../../support/world.ts';

test('the table fits a terminal of 80 columns with its trend, however long the name of a source is', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const robot = await factories(world).robot('amr-007');
  const lines = { robotId: robot.robot_id, fleetId: robot.fleet_id, atMs: Date.now() - 3_600_000, lines: 12_345 };
  await countLines(world, [{ ...lines, source: `/var/log/${'long'.repeat(25)}.log` }, lines], new Date());
  const { stdout } = await home.cli(['logs', '--stats', '--by', 'source', '--no-pager'], { columns: 80 });
  expect(stdout).toContain('…');
  expect(stdout).toContain('TREND');
  expect(stdout).toMatch(/Intervals of 10m from .* to .*\s+Records\s+up to/);
  for (const line of stripVTControlCharacters(stdout).split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
});
