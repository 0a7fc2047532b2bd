import { readdirSync, readFileSync } from 'node:fs';
import type { AgentFrame, ServerFrame } from '../../generated/frames.js';

/** One event on a link, in order. `link` distinguishes links of one robot. */
export type Step =
  | { link: string; from: 'agent'; open: true }
  | { link: string; from: 'agent'; frame: AgentFrame }
  /** A text that is not a frame. */
  | { link: string; from: 'agent'; text: string }
  | { link: string; from: 'server'; frame: ServerFrame }
  | { link: string; from: 'agent' | 'server'; close: number }
  /** An operator's action, outside the link. */
  | ({ from: 'operator' } & Act);

/**
 * The service is told to stop; a new release or config entry is deployed to the robot; the newest deployment is
 * cancelled; a viewer opens a shell, or another stream of the robot by its path and query, and leaves; an admin
 * requests a new token for the robot.
 */
export type Act =
  | { stop: true }
  | { deploy_release: { tag: string; kind: string; artifact_sha256: string; artifact_size: number } }
  | { deploy_config: { namespace: string; key: string; value: unknown } }
  | { cancel: true }
  | { open_shell: { cols: number; rows: number } }
  | { leave_shell: true }
  | { open_stream: string }
  | { leave_stream: true }
  | { rotate_token: true };

/** Events on the sockets of a live stream: the agent's link, its dial-back, and those of viewers. */
export type StreamStep =
  | Step
  | { from: 'operator'; list_topics: true }
  /** A viewer connects with a token, the agent with its secret. */
  | { link: string; from: 'viewer'; open: string; protocol?: string }
  | { link: string; from: 'agent'; open: string; bearer: string }
  | { link: string; from: Side; frame: { type?: string } }
  | { link: string; from: 'viewer'; text: string }
  /** A binary frame, as UTF-8 or in base64. */
  | { link: string; from: Side; bytes: string }
  | { link: string; from: Side; base64: string }
  | { link: string; from: Side; close: number; reason?: string };
type Side = 'agent' | 'server' | 'viewer';

export interface Transcript<S = Step> {
  name: string;
  steps: S[];
}

/** One step per line. */
function read<S>(folder: string): readonly Transcript<S>[] {
  const url = new URL(`../../spec/transcripts/${folder}/`, import.meta.url);
  return readdirSync(url)
    .sort()
    .map((file) => ({
      name: file.replace(/\.ndjson$/, ''),
      steps: readFileSync(new URL(file, url), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as S),
    }));
}

/** The golden transcripts of protocol 1. They are only ever added to: an agent built by them runs for years. */
export const transcripts = read<Step>('agent');

/** Transcripts of live streams, from the viewer to the agent and back. */
export const streamTranscripts = read<StreamStep>('streams');
