import { WebSocket } from 'ws';
import { catalog } from '../../cli/command-specs/index.ts';
import asyncApi from '../../generated/asyncapi.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };

/** By kind: all names, and whether a test of this file has used each. */
export type Covered = Record<string, Record<string, boolean>>;

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, false]));
const schemas = asyncApi.components.schemas as Record<string, { properties?: { type?: { const?: string } } }>;
const messages = Object.values(asyncApi.components.messages as Record<string, { payload?: { $ref?: string } }>);

const operations = named(
  Object.values(contract.paths as Record<string, Record<string, { operationId?: string }>>)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId }) => operationId ?? []),
);
const commands = named(catalog.commands.map(({ path }) => path));
const frames = named(
  messages.flatMap(({ payload }) => schemas[payload?.$ref?.split('/').at(-1) ?? '']?.properties?.type?.const ?? []),
);

/** Names used so far by the tests of this file; `contract-coverage.ts` merges the files after the run. */
const screens: Record<string, boolean> = {};
export const covered: Covered = { operations, commands, frames, screens };

/** Called at the beginning of a file: the worker has run others. */
export function forgetCovered(): void {
  for (const names of Object.values(covered)) for (const name of Object.keys(names)) names[name] = false;
}

/** Reads a log line of a service: each handled request names its operation. */
export function coverRequest(line: string): void {
  const [, operation] = /"operation":"(\w+)"/.exec(line) ?? [];
  if (operation !== undefined) operations[operation] = true;
}

/** Records a command line of the client. */
export function coverCommand(args: readonly string[]): void {
  const line = args.join(' ');
  for (const path of Object.keys(commands)) if (`${line} `.startsWith(`${path} `)) commands[path] = true;
}

/** Records the first screen of a test's interface; `all` are the existing ones. */
export function coverScreen(id: string, all: readonly string[]): void {
  for (const each of all) screens[each] ??= false;
  screens[id] = true;
}

/** A text that a `ws` socket sends or receives, at either end: frames of the contract begin with their type. */
function coverFrame(data: unknown): void {
  const start = typeof data === 'string' ? data : Buffer.isBuffer(data) ? data.toString('utf8', 0, 60) : '';
  const [, type] = /^\{"type":"(\w+)"/.exec(start) ?? [];
  if (type !== undefined && type in frames) frames[type] = true;
}

const { send, emit } = WebSocket.prototype;
WebSocket.prototype.send = function (this: WebSocket, ...args: Parameters<typeof send>) {
  coverFrame(args[0]);
  return Reflect.apply(send, this, args);
} as typeof send;
WebSocket.prototype.emit = function (this: WebSocket, event, ...args) {
  if (event === 'message') coverFrame(args[0]);
  return Reflect.apply(emit, this, [event, ...args]);
};
