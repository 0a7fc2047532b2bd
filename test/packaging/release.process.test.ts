import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { releasedChangelog } from '../../packaging/version.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
const testWithGit = testWith('git');

const pending = '# Changelog\n\n## Unreleased\n\n### Added\n\n- All of it.\n';
const released = releasedChangelog(pending, '1.2.3', '2026-01-31');

interface Content {
  changelog?: string;
  security?: string;
}

/** A clone in which the packaging is what it is here, and a build only says that it was started, and fails. */
async function startClone({ changelog = released, security = '# Security\n' }: Content = {}) {
  const folder = await tempDir();
  const cwd = folder.path;
  for (const name of ['.ci', 'packaging', 'package-lock.json', '.gitignore', 'tsconfig.json'])
    await cp(join(repository, name), join(cwd, name), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(cwd, 'node_modules'));
  const scripts = { build: 'echo the build starts; exit 1' };
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ version: '1.2.3', type: 'module', scripts }));
  await writeFile(join(cwd, 'CHANGELOG.md'), changelog);
  await writeFile(join(cwd, 'SECURITY.md'), security);
  const identity = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com'];
  for (const line of [
    ['init', '-q'],
    ['add', '.'],
    [...identity, 'commit', '-q', '-m', 'Release 1.2.3'],
  ])
    await run('git', line, { cwd });
  return {
    ...folder,
    /** Makes a release; returns how it ends, and whether the build was started. */
    async release(flags: string[] = [], env: Record<string, string> = {}) {
      const line = ['--import', 'tsx', 'packaging/release.ts', ...flags, 'to'];
      const end = await run(process.execPath, line, { cwd, env: { ...process.env, ...env } }).catch(
        (error: unknown) => error as { code: number; stdout: string; stderr: string },
      );
      const isWritten = (await readdir(cwd)).includes('to');
      return { code: 'code' in end ? end.code : 0, said: end.stderr, builds: end.stdout !== '', isWritten };
    },
  };
}

const refused = (said: string) => ({ code: 1, said: `${said}\n`, builds: false, isWritten: false });

testWithGit('a tree with changes that are not committed makes no release, only a snapshot', async () => {
  await using clone = await startClone();
  expect(await clone.release()).toMatchObject({ builds: true });
  await writeFile(join(clone.path, 'notes.txt'), 'of nobody else\n');
  expect(await clone.release()).toEqual(refused('files are changed and not committed: commit them, or use --snapshot'));
  expect(await clone.release(['--snapshot'])).toMatchObject({ builds: true });
});

testWithGit('a changelog with changes that have no version makes no release', async () => {
  for (const changelog of [
    released.replace('## Unreleased\n', '## Unreleased\n\n### Fixed\n\n- A fault.\n'),
    released.replace('1.2.3', '1.2.2'),
  ]) {
    await using clone = await startClone({ changelog });
    expect(await clone.release()).toEqual(
      refused('CHANGELOG.md has changes that are not released: run npm run release:prepare, or use --snapshot'),
    );
  }
});

testWithGit('a release is signed only by a key whose public key is in SECURITY.md', async () => {
  await using folder = await tempDir();
  const RELEASE_KEY_FILE = join(folder.path, 'key.pem');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(RELEASE_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const pemOf = (key: typeof publicKey) => key.export({ type: 'spki', format: 'pem' }).toString();

  const other = pemOf(generateKeyPairSync('ed25519').publicKey);
  for (const security of ['# Security\n', `# Security\n\n${other}`]) {
    await using clone = await startClone({ security });
    expect(await clone.release([], { RELEASE_KEY_FILE })).toEqual(
      refused('SECURITY.md does not have the public key of RELEASE_KEY_FILE: add it, or use --snapshot'),
    );
    expect(await clone.release(['--snapshot'], { RELEASE_KEY_FILE })).toMatchObject({ builds: true });
  }
  const block = `\`\`\`text\n${pemOf(publicKey)}\`\`\`\n`;
  await using clone = await startClone({ security: `# Security\n\n${block}` });
  expect(await clone.release([], { RELEASE_KEY_FILE })).toMatchObject({ builds: true });
});
