import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';

/** The system loads native code from a file only, and a folder may be missing, read-only or mounted with `noexec`. */
const folders = () => [tmpdir(), '/var/tmp', '/dev/shm', '/run'];

let loaded: { exports: unknown } | undefined;

/**
 * In place of the package `@lydell/node-pty`: its native part, from inside the executable. The file exists only while
 * it is loaded. @throws if no folder allows it
 */
export function requireBinary(name: string): unknown {
  if (loaded) return loaded.exports;
  let cause: unknown;
  for (const parent of folders()) {
    try {
      loaded = loadFrom(parent, name);
      return loaded.exports;
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(`${name} cannot be loaded`, { cause });
}

function loadFrom(parent: string, name: string) {
  // Readable and writable by this user only.
  const folder = mkdtempSync(join(parent, 'fleet-pty-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, Buffer.from(getRawAsset(name) as ArrayBuffer));
    const module = { exports: {} };
    process.dlopen(module, file, constants.dlopen.RTLD_LAZY);
    return module;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
