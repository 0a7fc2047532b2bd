/**
 * `npm run generate`: everything under generated/ from spec/.
 *
 *   openapi.json      the bundled contract, 3.1; what the server validates with and serves
 *   openapi-3.0.json  the same for tools that read 3.0 only
 *   api.d.ts          types for handlers and clients
 *   policies.d.ts     who may call an operation, and which change something, as types
 *   validators.js     compiled validators of requests, so that a start compiles none
 *
 * The files are committed; `npm run check` generates again and fails on a difference.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTS, { astToString } from 'openapi-typescript';
import { compileValidators } from './generate/validators.ts';
import { toOpenApi30 } from './generate/openapi-3.0.ts';
import { policyTypes, statePolicies } from './generate/policies.ts';

const root = new URL('..', import.meta.url);
const path = (name: string) => fileURLToPath(new URL(name, root));
const write = (name: string, text: string) => writeFile(path(`generated/${name}`), text);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const banner = '/* Generated from spec/ by npm run generate; never edited. */\n';

await mkdir(path('generated'), { recursive: true });
const { version } = JSON.parse(await readFile(path('package.json'), 'utf8')) as { version: string };
const bundled = execFileSync(
  path('node_modules/.bin/redocly'),
  ['bundle', path('spec/openapi.yaml'), '--ext', 'json'],
  {
    cwd: path('.'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
const document = statePolicies(JSON.parse(bundled) as OpenAPIV3_1.Document, version);

await write('openapi.json', json(document));
await write('openapi-3.0.json', json(toOpenApi30(document)));
await write('api.d.ts', `${banner}${astToString(await openapiTS(json(document)))}`);

await write('policies.d.ts', `${banner}${policyTypes(document)}`);

const validators = await build({
  stdin: { contents: await compileValidators(structuredClone(document)), resolveDir: path('.') },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
  minifyWhitespace: true,
});
await write('validators.js', `${banner}${validators.outputFiles[0]?.text}`);
await write(
  'validators.d.ts',
  `${banner}import type { ValidateFunction } from 'ajv';
/** The validators of each operation, by operationId: its body, if it has one, then its parameters. */
export declare const validators: Record<string, ValidateFunction[]>;
`,
);
