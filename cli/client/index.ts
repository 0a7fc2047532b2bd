export { createClient, type ClientOptions, type FleetClient } from './client.ts';
export { ApiError, ConnectionError, StreamError } from './errors.ts';
export type { RetryOptions } from './retry.ts';
export type { LogGap, LogOptions } from './streams/logs.ts';
export type { RawShell } from './streams/shell.ts';
export type { SocketMaker } from './streams/socket.ts';
export type { components, operations, paths } from '../../generated/api.d.ts';
