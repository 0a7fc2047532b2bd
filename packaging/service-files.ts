import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** What runs the service and the client, of the folder of the released package: all but the agent and the library. */
export async function copyService(staged: string, to: string): Promise<void> {
  for (const part of ['dist/server', 'dist/docs', 'dist/cli', 'docs', 'generated', 'package.json'])
    await cp(join(staged, part), join(to, part), { recursive: true });
  const jq = dirname(require.resolve('jq-wasm/package.json'));
  await cp(jq, join(to, 'node_modules/jq-wasm'), { recursive: true });
}
