import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { linkedZone } from '../../../../cli/agent/gates/linked-zone.ts';

/** A machine whose `/etc/localtime` is a link to the file of this zone. */
async function machineIn(zone: string, folder = 'zoneinfo') {
  const root = await mkdtemp(join(tmpdir(), 'fleet-zone-'));
  const [file, localtime] = [join(root, folder, zone), join(root, 'localtime')];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await symlink(file, localtime);
  return { file, localtime, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['posix/Asia/Tokyo', 'Asia/Tokyo'],
  ['right/Asia/Tokyo', 'Asia/Tokyo'],
  ['Etc/UTC', 'UTC'],
])('the zone of a machine whose clock is linked to %s is %s', async (linked, zone) => {
  await using machine = await machineIn(linked);
  expect(linkedZone({}, machine.localtime)).toBe(zone);
});

test('a link to a file of no zone names none', async () => {
  await using machine = await machineIn('Europe/Berlin', 'clocks');
  expect(linkedZone({}, machine.localtime)).toBeUndefined();
});

test('a link whose file is missing names no zone', async () => {
  await using machine = await machineIn('Europe/Berlin');
  await rm(machine.file);
  expect(linkedZone({}, machine.localtime)).toBeUndefined();
});

test('TZ has precedence over the link', async () => {
  await using machine = await machineIn('Europe/Berlin');
  expect(linkedZone({ TZ: 'Asia/Tokyo' }, machine.localtime)).toBeUndefined();
});
