/* Generated from spec/ by npm run generate; never edited. */
export { createClient, type ClientOptions, type FleetClient } from './client.js';
export { ApiError, ConnectionError, StreamError, type StreamReason } from './errors.js';
export type { RetryOptions } from './retry.js';
export type { LogGap, LogOptions, LogRecord } from './streams/logs.js';
export type { OpenShellOptions, Shell, ShellExit, ShellOutput, ShellSignal } from './streams/open-shell.js';
export type { RawShell, ShellOptions } from './streams/shell.js';
export type { SocketMaker } from './streams/socket-maker.js';
export type { StreamSocket } from './streams/stream-socket.js';
export type { Streams } from './streams/streams.js';
export type { CameraOptions } from './streams/camera.js';
export type { TopicFrame, TopicOptions } from './streams/topic.js';
export type { TokenSource } from './token.js';
export type { Item, ListPath } from './types.js';
export type { components, operations, paths } from '../api.d.ts';
