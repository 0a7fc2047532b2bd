import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from './faults.ts';
import type { walk } from './walk.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The texts of the files that a fault changes, with the fault. @throws if the text that changes is not there once */
export const breakFiles = ({ changes }: Fault): Promise<{ file: string; text: string }[]> =>
  Promise.all(
    changes.map(async ({ file, from, to }) => {
      const text = await readFile(join(root, file), 'utf8');
      if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
      return { file, text: text.replace(from, () => to) };
    }),
  );

/** The walk with this fault in the engine: that of a copy of the tree. */
export async function brokenWalk(folder: string, fault: Fault): Promise<typeof walk> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    ['src', 'test', 'generated'].map((each) => cp(join(root, each), join(folder, each), { recursive: true })),
  );
  await Promise.all(
    ['node_modules', 'spec', 'docs', 'dist', 'cli', 'package.json', 'tsconfig.json'].map((each) =>
      symlink(join(root, each), join(folder, each)),
    ),
  );
  for (const { file, text } of await breakFiles(fault)) await writeFile(join(folder, file), text);
  const path = join(folder, 'test/deployments/engine/rollouts/random/walk.ts');
  return ((await import(/* @vite-ignore */ path)) as { walk: typeof walk }).walk;
}
