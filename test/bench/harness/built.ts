import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectPath } from './child.ts';

/** Path of a built program. Throws where it is missing or older than what it is built from: stale figures look like real ones. */
export function built(name: 'dist/server/main.js' | 'dist/cli/main.js'): string {
  const path = projectPath(name);
  if (!existsSync(path)) throw new Error(`${name} is missing: run \`npm run build\` first`);
  const sources = name === 'dist/server/main.js' ? ['src', 'generated'] : ['cli', 'generated'];
  if (sources.some((folder) => newestMs(projectPath(folder)) > statSync(path).mtimeMs))
    throw new Error(`${name} is older than its sources: run \`npm run build\` first`);
  return path;
}

/** When a file below a folder was last changed, ms since 1970; 0 for an empty one. */
function newestMs(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  return Math.max(
    0,
    ...entries.map((entry) =>
      entry.isDirectory() ? newestMs(join(folder, entry.name)) : statSync(join(folder, entry.name)).mtimeMs,
    ),
  );
}
