import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The declarations of `fleet-control-service/client`, by name under generated/client/. Throws what the compiler says where it cannot give them. */
export function clientDeclarations(): Map<string, string> {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (name) => ts.sys.readFile(name)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram([`${root}cli/client/index.ts`], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: '/out',
    rootDir: root,
  });
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (name, text) => {
    const path = relative('/out/cli/client', name);
    if (!path.startsWith('..')) files.set(path, whereItStands(text));
  });
  if (diagnostics.length > 0)
    throw new Error(
      diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'),
    );
  return neededOf(files);
}

/** Those that `index.d.ts` stands on: others are nobody's business, and what they stand on is not there. */
function neededOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const needed = new Map<string, string>();
  function take(name: string): void {
    if (needed.has(name)) return;
    const text = files.get(name);
    if (text === undefined) throw new Error(`the declarations of the client stand on ${name}, which is none of them`);
    needed.set(name, text);
    for (const [, path = ''] of text.matchAll(/from '(\.[^']+)\.js'/g))
      take(posix.join(posix.dirname(name), `${path}.d.ts`));
  }
  take('index.d.ts');
  return needed;
}

/** Whoever imports the package need not allow imports of TypeScript; and generated/client/ is two folders from the contract's types, where cli/client/ is three. */
const whereItStands = (text: string): string =>
  text.replaceAll(/(from ')([^']+)\.ts'/g, (_whole, from: string, path: string) =>
    path.endsWith('/api.d') ? `${from}${path.replace('../generated/', '')}.ts'` : `${from}${path}.js'`,
  );
