/**
 * `npm run generate`: everything under generated/ from spec/.
 *
 *   openapi.json      the bundled contract, 3.1; what the server validates with and serves
 *   openapi-3.0.json  the same for tools that read 3.0 only
 *   samples.json      how each operation is called in four languages, for the reference
 *   api.d.ts          types for handlers and clients
 *   policies.d.ts     who may call an operation, and which change something, as types
 *   validators.js     compiled validators of requests, so that a start compiles none
 *   replies.js        compiled validators of replies, for the sample that is looked at in production
 *   asyncapi.json     the WebSockets, with the golden transcripts of spec/transcripts/
 *   schemas.json      a JSON Schema for each of their messages, by the path at which it is served
 *   frames.{js,d.ts}  compiled validators and types of the frames that they carry
 *   shell.{js,d.ts}   the same of fleet.shell.v1
 *   media.{js,d.ts}   the same of cameras and topics
 *   protocol.{js,d.ts}  close codes, limits, and the legal moves of deployments
 *   wait-texts.{js,d.ts}  what deployments and robots wait for, for people
 *   release.{js,d.ts}  the version of the package, for what cannot read package.json
 *   client/*.d.ts     types of the package entry `fleet-control-service/client`, of cli/client/
 *
 * The files are committed; `npm run check` generates again and fails on a difference.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { OpenAPIV3_1 } from 'openapi-types';
import openapiTS, { astToString } from 'openapi-typescript';
import { compileValidators } from './generate/validators.ts';
import {
  compileFrames,
  frameTypes,
  linkSides,
  protocolTables,
  protocolTypes,
  shellSides,
  mediaSides,
  withProtocolTables,
  type AsyncDocument,
  type FramesDocument,
} from './generate/frames.ts';
import { withCloseCodes, withTranscripts, type Channels } from './generate/channels.ts';
import { clientDeclarations } from './generate/client.ts';
import { checkMoves, moveTables, moveTypes } from './generate/moves.ts';
import { toOpenApi30 } from './generate/openapi-3.0.ts';
import { policyTypes, statePolicies } from './generate/policies.ts';
import { compileReplies } from './generate/replies.ts';
import { codeSamples } from './generate/samples.ts';
import { frameSchemas, withSchemaPaths, type Messages } from './generate/schemas.ts';
import { waitTexts } from './generate/wait-texts.ts';

const root = new URL('..', import.meta.url);
const path = (name: string) => fileURLToPath(new URL(name, root));
const write = (name: string, text: string) => writeFile(path(`generated/${name}`), text);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const banner = '/* Generated from spec/ by npm run generate; never edited. */\n';

await mkdir(path('generated'), { recursive: true });
const { version } = JSON.parse(await readFile(path('package.json'), 'utf8')) as { version: string };

/** A document of spec/ with everything that it refers to. */
const bundle = (name: string): unknown =>
  JSON.parse(
    execFileSync(path('node_modules/.bin/redocly'), ['bundle', path(`spec/${name}`), '--ext', 'json'], {
      cwd: path('.'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );

const document = statePolicies(bundle('openapi.yaml') as OpenAPIV3_1.Document, version);

await write('openapi.json', json(document));
await write('openapi-3.0.json', json(toOpenApi30(document)));
await write('samples.json', json(await codeSamples(document)));
await write('api.d.ts', `${banner}${astToString(await openapiTS(json(document)))}`);

await write('policies.d.ts', `${banner}${policyTypes(document)}`);

/** Compiled validators with what of ajv they need, in one file. */
async function alone(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path('.') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    preserveSymlinks: true, // the names of packages' files stand in the output; it is the same where node_modules is a link
    write: false,
    minifyWhitespace: true,
  });
  return `${banner}${outputFiles[0]?.text}`;
}

await write('validators.js', await alone(await compileValidators(structuredClone(document))));
await write(
  'validators.d.ts',
  `${banner}import type { ValidateFunction } from 'ajv';
/** The validators of each operation, by operationId: its body, if it has one, then its parameters. */
export declare const validators: Record<string, ValidateFunction[]>;
`,
);

await write('replies.js', await alone(compileReplies(structuredClone(document))));
await write(
  'replies.d.ts',
  `${banner}import type { ValidateFunction } from 'ajv';
/** By operationId and status what judges the body; null where there is none, or a file. */
export declare const replies: Record<string, Record<number, ValidateFunction | null>>;
`,
);

const frames = bundle('frames.yaml') as FramesDocument;
const streams = bundle('streams.asyncapi.yaml') as AsyncDocument & Messages & Channels;
const channelled = withCloseCodes(withTranscripts(streams, new URL('spec/transcripts/', root)), frames);
await write('asyncapi.json', json(withSchemaPaths(withProtocolTables(channelled, frames, version))));
await write('schemas.json', json(frameSchemas(streams)));
for (const [name, document, sides] of [
  ['frames', frames, linkSides],
  ['shell', bundle('shell.yaml') as typeof frames, shellSides],
  ['media', bundle('media.yaml') as typeof frames, mediaSides],
] as const) {
  await write(`${name}.js`, await alone(compileFrames(structuredClone(document), sides)));
  const types = astToString(await openapiTS(json({ ...document, paths: {} })));
  await write(`${name}.d.ts`, `${banner}${frameTypes(document, sides, types)}`);
}
checkMoves(frames['x-moves']);
await write('protocol.js', `${banner}${protocolTables(frames)}${moveTables(frames['x-moves'])}`);
await write('protocol.d.ts', `${banner}${protocolTypes(frames)}${moveTypes(frames['x-moves'])}`);

await write('wait-texts.js', `${banner}export const waitTexts = ${json(waitTexts(document)).trim()};\n`);
await write(
  'wait-texts.d.ts',
  `${banner}/** What is waited for, for people, by the code of \`waiting_on\`; a later service may have more. */
export declare const waitTexts: Readonly<Record<string, string>>;
`,
);

await write('release.js', `${banner}export const release = ${JSON.stringify(version)};\n`);
await write('release.d.ts', `${banner}export declare const release: string;\n`);

// After the contract's types, which they stand on.
await rm(path('generated/client'), { recursive: true, force: true });
await mkdir(path('generated/client/streams'), { recursive: true });
for (const [name, text] of clientDeclarations()) await write(`client/${name}`, `${banner}${text}`);
