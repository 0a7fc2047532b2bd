import { build } from 'esbuild';
import type { ValidateFunction } from 'ajv';

/** Loads the validators compiled from a changed contract. */
export async function importModule(contents: string): Promise<{ validators: Record<string, ValidateFunction[]> }> {
  const built = await build({
    stdin: { contents, resolveDir: new URL('../../..', import.meta.url).pathname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const text = built.outputFiles[0]?.text ?? '';
  return (await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  )) as never;
}
