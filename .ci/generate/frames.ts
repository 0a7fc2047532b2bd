import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { MovesDocument } from './moves.ts';

// The package is CommonJS whose types and module shape disagree under NodeNext.
const standaloneCode = standalone as unknown as typeof standalone.default;

interface FrameSchema {
  'x-sent-by'?: string; // one of the two sides, or both
  'x-part-validators'?: string; // name of a table with a validator for each property
  properties?: { type?: { const?: string } };
}

/** A document of frames, bundled. */
interface Frames {
  components: { schemas: Record<string, FrameSchema> };
}

/** spec/frames.yaml, bundled. */
export interface FramesDocument extends Frames {
  'x-protocol': number;
  'x-close-codes': Record<string, { code: number; description: string }>;
  'x-limits': Record<string, { value: number; description: string }>;
  'x-moves': MovesDocument;
}

export interface AsyncDocument {
  info: { version: string; description: string };
}

/** Who sends frames: as `x-sent-by` says, and for readers of the types. */
type Sides = Record<string, string>;
export const linkSides: Sides = { agent: 'an agent', server: 'the service' };
export const shellSides: Sides = { viewer: 'the viewer', shellAgent: 'the agent' };
export const mediaSides: Sides = { source: 'an agent', watcher: 'the service' };

/** The frames that one side sends: the name of the schema and the `type`. */
const sentBy = ({ components }: Frames, side: string) =>
  Object.entries(components.schemas).flatMap(([name, schema]) => {
    const type = schema.properties?.type?.const;
    return [side, 'both'].includes(schema['x-sent-by'] ?? '') && type !== undefined ? [{ name, type }] : [];
  });

/** Names of the schemas of frames whose `type` is not one word: each has a validator of its own, such as `validateTopicRecord`. */
const sentWithAnyType = ({ components }: Frames) =>
  Object.entries(components.schemas).flatMap(([name, schema]) =>
    schema['x-sent-by'] !== undefined && schema.properties?.type?.const === undefined ? [name] : [],
  );

/** The schemas whose properties have validators of their own, such as `healthParts`. */
const withPartValidators = ({ components }: Frames) =>
  Object.entries(components.schemas).flatMap(([name, { 'x-part-validators': table, properties = {} }]) =>
    table === undefined ? [] : [{ name, table, parts: Object.keys(properties) }],
  );

/** `agentFrames` and so on: a validator for each `type`. Formats are not asserted: a robot's clock and a vendor's habits are data. */
export function compileFrames(document: Frames, sides: Sides): string {
  const ajv = new Ajv2020({
    strict: false,
    addUsedSchema: false,
    validateFormats: false,
    code: { source: true, esm: true },
  });
  ajv.addSchema({ $id: 'frames', components: document.components });
  const ids: Record<string, string> = {};
  for (const side of Object.keys(sides))
    for (const { name } of sentBy(document, side)) {
      if (ids[name] !== undefined) continue;
      ajv.addSchema({ $ref: `frames#/components/schemas/${name}` }, name);
      ids[name] = name;
    }
  for (const name of sentWithAnyType(document)) {
    ajv.addSchema({ $ref: `frames#/components/schemas/${name}` }, name);
    ids[`validate${name}`] = name;
  }
  const tables = Object.keys(sides).map((side) => {
    const entries = sentBy(document, side).map(({ name, type }) => `${type}: ${name}`);
    return `export const ${side}Frames = { ${entries.join(', ')} };`;
  });
  for (const { name, table, parts } of withPartValidators(document)) {
    const entries = parts.map((part) => {
      const id = `${name}_${part}`;
      ajv.addSchema({ $ref: `frames#/components/schemas/${name}/properties/${part}` }, id);
      ids[id] = id;
      return `${part}: ${id}`;
    });
    tables.push(`export const ${table} = { ${entries.join(', ')} };`);
  }
  return `${standaloneCode(ajv, ids)}\n${tables.join('\n')}`;
}

export function frameTypes(document: Frames, sides: Sides, components: string): string {
  const lines = Object.keys(document.components.schemas).map(
    (name) => `export type ${name} = components['schemas']['${name}'];`,
  );
  for (const [side, who] of Object.entries(sides)) {
    const frames = sentBy(document, side);
    const title = `${side[0]?.toUpperCase()}${side.slice(1)}`;
    lines.push(
      `/** Frames that ${who} sends. */`,
      `export type ${title}Frame = ${frames.map(({ name }) => name).join(' | ')};`,
      `/** A validator for each \`type\` of these frames. */`,
      `export declare const ${side}Frames: { [Type in ${title}Frame['type']]: ValidateFunction };`,
    );
  }
  for (const { name, table, parts } of withPartValidators(document))
    lines.push(
      `/** A validator for each property of \`${name}\`. */`,
      `export declare const ${table}: Record<${parts.map((part) => `'${part}'`).join(' | ')}, ValidateFunction>;`,
    );
  for (const name of sentWithAnyType(document)) lines.push(`export declare const validate${name}: ValidateFunction;`);
  return `import type { ValidateFunction } from 'ajv';\n${components}\n${lines.join('\n')}\n`;
}

const tablesOf = (document: FramesDocument) => ({
  closeCodes: Object.fromEntries(Object.entries(document['x-close-codes']).map(([name, { code }]) => [name, code])),
  limits: Object.fromEntries(Object.entries(document['x-limits']).map(([name, { value }]) => [name, value])),
});

export function protocolTables(document: FramesDocument): string {
  const { closeCodes, limits } = tablesOf(document);
  return [
    `export const protocol = ${document['x-protocol']};`,
    `export const closeCodes = ${JSON.stringify(closeCodes, null, 2)};`,
    `export const limits = ${JSON.stringify(limits, null, 2)};`,
    '',
  ].join('\n');
}

export function protocolTypes(document: FramesDocument): string {
  const fields = (entries: [string, { description: string; literal: string }][]) =>
    entries
      .map(([name, { description, literal }]) => `  /** ${description} */\n  readonly ${name}: ${literal};`)
      .join('\n');
  const codes = Object.entries(document['x-close-codes']).map(
    ([name, { code, description }]) => [name, { description, literal: String(code) }] as [string, never],
  );
  const limits = Object.entries(document['x-limits']).map(
    ([name, { value, description }]) => [name, { description, literal: String(value) }] as [string, never],
  );
  return [
    '/** The protocol of the agent link that is spoken here. */',
    `export declare const protocol: ${document['x-protocol']};`,
    `export declare const closeCodes: {\n${fields(codes)}\n};`,
    `export declare const limits: {\n${fields(limits)}\n};`,
    '',
  ].join('\n');
}

/** Close codes and limits stand in the prose of the document, from the one place that says them. */
export function withProtocolTables<T extends AsyncDocument>(document: T, frames: FramesDocument, version: string): T {
  const codes = Object.values(frames['x-close-codes']).map(({ code, description }) => `| ${code} | ${description} |`);
  const limits = Object.entries(frames['x-limits']).map(
    ([name, { value, description }]) => `| ${name} | ${value} | ${description} |`,
  );
  const description = document.info.description
    .replace('{close codes}', ['| Code | Meaning |', '|---|---|', ...codes].join('\n'))
    .replace('{limits}', ['| Limit | Value | |', '|---|---|---|', ...limits].join('\n'));
  return { ...document, info: { ...document.info, version, description } };
}
