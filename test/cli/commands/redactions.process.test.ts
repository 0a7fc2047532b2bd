import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { signedInHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { logRobot } from '../../support/log-robot.ts';
import { startWorld } from '../../support/world.ts';

test('a terminal shows how many records or lines a pattern would change, also if it changes none', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { robot_token: token } = await factories(world).robot('amr-007');
  using robot = await logRobot(world.url, token);
  await robot.say('code 1', 'none', 'none');
  const shown = async (...words: string[]) =>
    stripVTControlCharacters((await home.cli(['redactions', 'test', ...words], { columns: 80 })).stdout);
  expect(await shown('code [0-9]')).toMatch(
    /ROBOT .* amr-007 .* code 1 +\[redacted\]\s+1 of 3 records would change\./s,
  );
  expect(await shown('other')).toMatch(/^0 of 3 records would change\.\s*$/);
  expect(await shown('a+', '--text', 'a', '--text', 'b')).toMatch(
    /^BEFORE +AFTER\s+a +\[redacted\]\s+1 of 2 lines would change\.\s*$/,
  );
});
