import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { readSigningKey, signChecksums, writeChecksums } from '../../packaging/checksums.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

const run = promisify(execFile);

testWith('openssl', 'sha256sum')('who downloads a release verifies it by its signature and checksums', async () => {
  await using folder = await tempDir();
  const cwd = folder.path;
  const names = ['one.tgz', 'other.deb'];
  const files = names.map((name) => join(cwd, name));
  for (const file of files) await writeFile(file, file);
  await writeChecksums(cwd, files);
  const { privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(cwd, 'private.pem');
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await signChecksums(cwd, await readSigningKey(keyFile));
  const verify = () =>
    run(
      'openssl',
      'pkeyutl -verify -pubin -inkey release-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'.split(' '),
      { cwd },
    );
  expect((await verify()).stdout).toContain('Verified Successfully');
  expect((await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd })).stdout).toBe('one.tgz: OK\nother.deb: OK\n');
  await writeFile(join(cwd, 'SHA256SUMS'), 'other sums\n');
  await expect(verify()).rejects.toThrow();
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  await writeFile(keyFile, rsa.export({ type: 'pkcs8', format: 'pem' }));
  await expect(readSigningKey(keyFile)).rejects.toThrow('has no ed25519 key');
});
