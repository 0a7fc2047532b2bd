import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeBinary, type Arch } from '../node-binary.ts';
import { withoutSections } from './elf.ts';
import { filesOf, startScript, type Files, type Program } from './files.ts';

interface Executable {
  program: Program;
  arch: Arch;
}

const all: readonly Executable[] = (['cli', 'fleet-agent'] as const).flatMap((program) =>
  (['x64', 'arm64'] as const).map((arch) => ({ program, arch })),
);
const run = promisify(execFile);
const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
/** By which Node finds out that it is an executable. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Writes the client and the agent as single executables for Linux into the folder, from `dist`; returns their paths.
 * Builds of the same source have identical bytes. This machine must be an x64.
 */
export async function buildExecutables(folder: string, wanted: readonly Executable[] = all): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, '.building-'));
  try {
    const paths: string[] = [];
    // One after the other: each takes half a gigabyte of memory.
    for (const executable of wanted) paths.push(await write(executable, folder, work));
    return paths;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function write({ program, arch }: Executable, folder: string, work: string): Promise<string> {
  const name = `${program}-linux-${arch}`;
  const partial = join(work, name);
  await writeFile(partial, withoutSections(await readFile(await nodeBinary(arch))));
  const blob = await blobOf(await filesOf(program, arch), join(work, `${name}.files`));
  await run(process.execPath, [postject, partial, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse]);
  await chmod(partial, 0o755);
  await rename(partial, join(folder, name));
  return join(folder, name);
}

/** What Node reads at its start: the script and the files. It is the same on both processors, and has no path in it. */
async function blobOf(files: Files, work: string): Promise<string> {
  await mkdir(work);
  for (const [name, content] of files) await writeFile(join(work, name), content);
  await writeFile(join(work, 'start.js'), await startScript());
  const config = {
    main: 'start.js',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries([...files.keys()].map((name) => [name, name])),
  };
  await writeFile(join(work, 'config.json'), JSON.stringify(config));
  await run(await nodeBinary('x64'), ['--experimental-sea-config', 'config.json'], { cwd: work });
  return join(work, 'blob');
}
