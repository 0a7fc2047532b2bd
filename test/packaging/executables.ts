import { buildExecutables } from '../../packaging/executables/build.ts';
import type { Program } from '../../packaging/executables/files.ts';
import type { Arch } from '../../packaging/node-binary.ts';
import { tempDir } from '../support/temp-dir.ts';

/** Executables of this source, in folders that are deleted with them. */
export interface Executables extends AsyncDisposable {
  /** The path of an executable, which is built once. */
  executable(program: Program, arch?: Arch): Promise<string>;
  /** The path of an executable that is built for this call. */
  buildInto(program: Program, arch: Arch): Promise<string>;
}

/** Nothing is built before it is asked for. */
export function ownExecutables(): Executables {
  const folders: AsyncDisposable[] = [];
  const built = new Map<string, Promise<string>>();
  async function buildInto(program: Program, arch: Arch): Promise<string> {
    const folder = await tempDir();
    folders.push(folder);
    const [path = ''] = await buildExecutables(folder.path, [{ program, arch }]);
    return path;
  }
  return {
    buildInto,
    executable(program, arch = 'x64') {
      const name = `${program} ${arch}`;
      const path = built.get(name) ?? buildInto(program, arch);
      built.set(name, path);
      return path;
    },
    async [Symbol.asyncDispose]() {
      for (const folder of folders) await folder[Symbol.asyncDispose]();
    },
  };
}
