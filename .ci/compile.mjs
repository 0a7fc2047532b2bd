/**
 * Writes beside each file of code of the client what V8 makes of it, in this version of Node; `compiled.cjs` reads it. What a help page
 * and a list need was run before, so that it is there too and not only the outermost functions.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import Module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { compiledFiles } from './client-build.mjs';

const folder = fileURLToPath(new URL('../dist/cli/', import.meta.url));
const require = createRequire(`${folder}main.js`);

async function compiled(name) {
  const filename = `${folder}${name}.code.js`;
  const code = await readFile(filename, 'latin1');
  // Latin-1 halves the memory of the code. esbuild escapes other characters, except those in regular expressions.
  const at = code.search(/[^\x00-\x7f]/);
  if (at !== -1) throw new Error(`${filename} is not ASCII: escape the characters of ${code.slice(at - 60, at + 60)}`);
  return new Script(Module.wrap(code), {
    filename,
    columnOffset: -Module.wrapper[0].length,
  });
}

/** Runs the lines; what they print, the build throws away. */
async function useClient(script) {
  const module = { exports: {} };
  script.runInThisContext().call(module.exports, module.exports, require, module, `${folder}run.code.js`, folder);
  const service = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' }).end('{"items":[]}');
  });
  await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve));
  process.env = { HOME: '/nonexistent', SERVICE_TOKEN: `svc_user_${'0'.repeat(64)}` };
  const { port } = service.address();
  for (const line of [
    ['robots', 'list', '--help'],
    ['robots', 'list', '--base-url', `http://127.0.0.1:${port}`],
  ])
    await module.exports.run(line, '0');
  service.close();
}

async function keep(name, script) {
  const path = `${folder}${name}.code.cache`;
  await writeFile(`${path}.tmp`, script.createCachedData());
  await rename(`${path}.tmp`, path);
}

for (const name of compiledFiles) {
  const script = await compiled(name);
  if (name === 'run') await useClient(script);
  await keep(name, script);
}
