/* Generated from spec/ by npm run generate; never edited. */
export { createClient, type ClientOptions, type FleetClient } from './client.js';
export { ApiError, ConnectionError, StreamError } from './errors.js';
export type { RetryOptions } from './retry.js';
export type { LogGap, LogOptions } from './streams/logs.js';
export type { RawShell } from './streams/shell.js';
export type { SocketMaker } from './streams/socket.js';
export type { components, operations, paths } from '../api.d.ts';
