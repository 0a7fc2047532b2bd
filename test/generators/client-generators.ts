import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { documentAt, shellBlocksOf } from '../support/documents.ts';
import { commandsOf } from '../support/shell-words.ts';
import { testWith } from '../support/tools.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const modules = join(folder, 'node_modules');
const jar = join(modules, '@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
/** Folder of Debian's Go packages. */
const gocode = '/usr/share/gocode';

/** Tests of code from other projects' generators, which `npm ci --prefix test/generators` installs. */
const installed = 'test/generators/node_modules';
export const testTypeScript = testWith(installed);
export const testGo = testWith(installed, 'java', 'go', 'golang-golang-x-oauth2-dev');
export const testPython = testWith(
  ...[installed, 'java', 'python3-urllib3', 'python3-six', 'python3-dateutil', 'python3-certifi'],
);

/** With the variables that Go needs to find Debian's packages and this project's, without the network. */
async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  try {
    return await promisify(execFile)(program, args, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}

async function emptyFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'generated-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The compiler's strictest options; `skipLibCheck` is for the client's dependencies, not the client. */
const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  useUnknownInCatchVariables: true,
  skipLibCheck: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
};

interface TypeScriptGenerator {
  /** Its program in node_modules/.bin. */
  bin: string;
  args: readonly string[];
  scenario: string;
}

/**
 * Generates the client, compiles it with its scenario, and returns what that saw. `client` among the arguments is the
 * client's folder.
 */
export async function typeScriptScenario({ bin, args, scenario }: TypeScriptGenerator, url: string, token: string) {
  const work = await emptyFolder();
  await symlink(modules, join(work, 'node_modules'));
  await run(join(modules, '.bin', bin), args, work);
  await dropNoCheck(join(work, 'client/api.ts'));
  for (const [from, to] of [
    [`${scenario}.ts`, 'scenario.ts'],
    ['seen.ts', 'seen.ts'],
    ['main.ts', 'main.ts'],
  ] as const)
    await cp(join(folder, 'scenarios', from), join(work, to));
  await writeFile(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strict, include: ['*.ts', 'client/**/*.ts'] }),
  );
  await run(join(modules, '.bin/tsc'), ['-p', '.'], work);
  await build({
    absWorkingDir: work,
    entryPoints: ['main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: 'main.mjs',
    // CommonJS packages load Node's modules by require.
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return seenBy(await run(process.execPath, ['main.mjs', url, token], work));
}

/** Some generators turn off the compiler's checks; their code is checked all the same. */
async function dropNoCheck(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, -1));
}

const seenBy = ({ stdout }: { stdout: string }): unknown => JSON.parse(stdout);

/** The arguments that `docs/how-to/generate-a-client.md` gives for this program, which reads the document of the service at `url`. */
export function toldLine(program: string, url: string, generator = ''): string[] {
  const lines = shellBlocksOf(documentAt('docs/how-to/generate-a-client.md')).flatMap(({ text }) => commandsOf(text));
  const told = lines.filter(
    (words) => words[0] === 'npx' && words[1] === program && words.join(' ').includes(generator),
  );
  if (told.length !== 1)
    throw new Error(`docs/how-to/generate-a-client.md has ${told.length} lines of ${program} ${generator}`);
  return (told[0] ?? []).slice(2).map((word) => word.replace('http://127.0.0.1:8080', url));
}

async function byJar(generator: string, url: string, out: string): Promise<void> {
  const args = toldLine('openapi-generator', url, generator).map((word) => (word === 'client' ? out : word));
  await run('java', ['-jar', jar, ...args], folder);
}

/** The same for Go: built, and checked by `go vet`. */
export async function goScenario(url: string, token: string) {
  const work = await emptyFolder();
  const sources = join(work, 'src');
  await mkdir(join(sources, 'scenario'), { recursive: true });
  await byJar('go-experimental', url, join(work, 'made'));
  // Debian's packages are found by path, without modules; the generated go.mod would need the network.
  await rm(join(work, 'made/go.mod'));
  await rename(join(work, 'made'), join(sources, 'fleet'));
  await cp(join(folder, 'scenarios/scenario.go'), join(sources, 'scenario/main.go'));
  const env = { GO111MODULE: 'off', GOPATH: `${work}:${gocode}`, GOCACHE: join(work, 'cache'), GOFLAGS: '' };
  // The generator's template creates an error and does not return it: only that rule is left out.
  await run('go', ['vet', '-unusedresult=false', 'fleet', 'scenario'], work, env);
  await run('go', ['build', '-o', join(work, 'scenario'), 'scenario'], work, env);
  return seenBy(await run(join(work, 'scenario'), [url, token], work));
}

/** The same for Python, with only Debian's packages; its models validate their input. */
export async function pythonScenario(url: string, token: string) {
  const work = await emptyFolder();
  await byJar('python', url, work);
  const env = { PYTHONPATH: work, PYTHONDONTWRITEBYTECODE: '1' };
  await run('/usr/bin/python3', ['-W', 'error', '-m', 'compileall', '-q', 'fleet'], work, env);
  return seenBy(await run('/usr/bin/python3', [join(folder, 'scenarios/scenario.py'), url, token], work, env));
}
