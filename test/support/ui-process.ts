import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { bin } from './cli.ts';
import { tempDir } from './temp-dir.ts';

export interface UiProgram extends AsyncDisposable {
  /** The command line that starts it. */
  words: readonly string[];
  env: Record<string, string>;
}

/** The program of that file, by default `ui-program.tsx`, built like the interface. */
export async function builtUiProgram(file = new URL('ui-program.tsx', import.meta.url)): Promise<UiProgram> {
  const folder = await tempDir();
  const script = new URL('../../.ci/client-build.mjs', import.meta.url).href;
  const { interfaceAlone } = (await import(/* @vite-ignore */ script)) as { interfaceAlone: BuildOptions };
  await build({ ...interfaceAlone, entryPoints: [fileURLToPath(file)], outdir: folder.path, sourcemap: false });
  return {
    words: [process.execPath, join(folder.path, `${parse(fileURLToPath(file)).name}.mjs`)],
    env: { CLI: bin },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
