import { expect, test } from 'vitest';
import { writeCredentials } from '../../../../cli/files/credentials.ts';
import { askForSignIn } from '../../../../cli/ui/change-flows/sign-in.ts';
import { openDesk, pressAll, shown, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

test.each([
  ['enter without a token', ['enter']],
  ['r', ['esc', 'r']],
])('%s goes on with what cli login kept in another terminal', async (_, keys) => {
  await using world = await startWorld();
  await using desk = await openDesk(world, { token: 'svc_user_gone' });
  const { ui, file } = desk;
  const end = askForSignIn(ui);
  want(ui.data.robots);
  await expect.poll(() => shown(desk)).toContain(`cli login --base-url ${world.url}`);
  ui.writes.set(true);
  await writeCredentials(file, world.orgToken, world.url);
  pressAll(desk, ...keys);
  await expect.poll(() => ui.notice.get()?.text).toBe('Signed in.');
  await expect.poll(() => ui.data.robots.get().freshness.kind).toBe('live');
  expect(ui.overlay.get()).toBeUndefined();
  expect(ui.writes.get()).toBe(false);
  end();
});
