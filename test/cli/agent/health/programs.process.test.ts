import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { healthPrograms } from '../../../../cli/agent/health/programs.ts';
import { troublesOf } from '../../../../cli/agent/troubles.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { patienceMs, within } from '../../../support/until.ts';

test('a program that cannot be killed holds up no other, and is not run again while it exists', async () => {
  await using folder = await tempDir();
  const path = (name: string) => join(folder.path, name);
  const program = (name: string, script: string) => writeFile(path(name), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  await program(
    'stuck',
    `test -e ${path('pid')} && exec echo '{"again":true}'\necho $$ > ${path('pid')}; exec sleep 600`,
  );
  await program('well', `echo '{"ok":true}'`);
  const told: string[] = [];
  const troubles = troublesOf((_level, message) => void told.push(message));
  const programs = healthPrograms(folder.path, { PATH: process.env['PATH'] ?? '' }, troubles, 60_000);
  const run = async () => {
    programs.refresh(0);
    await within(programs.finished(), patienceMs, () => 'the programs hang');
    return programs.said;
  };
  let pid: number;
  {
    // As for a program that has become another user.
    using kills = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    expect(await run()).toEqual({ well: { ok: true } });
    pid = Number(await readFile(path('pid'), 'utf8'));
    expect(kills).toHaveBeenCalledWith(-pid, 'SIGKILL');
    const why = `it took more than 5 s, and its process ${pid} cannot be killed`;
    expect(told).toEqual([`${path('stuck')} is left out of the health: ${why}`]);
    expect(await run()).toEqual({ well: { ok: true } });
  }
  process.kill(pid, 'SIGKILL');
  await expect.poll(run).toEqual({ stuck: { again: true }, well: { ok: true } });
  expect(told.slice(1)).toEqual([`${path('stuck')} works again`]);
  await programs.stop();
});
