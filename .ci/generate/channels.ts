/** What stands with each channel of the WebSockets beside its frames: golden transcripts, and the codes by which it is closed. */
import { readdirSync, readFileSync } from 'node:fs';
import type { FramesDocument } from './frames.ts';

/** A code may be a name of spec/frames.yaml. */
interface Channel {
  'x-close-codes': readonly { code: string | number; from: string; when: string; then: string }[];
}

/** As much of spec/streams.asyncapi.yaml, bundled. */
export interface Channels {
  channels: Record<string, Channel>;
  'x-transcripts': Record<string, { title: string; channels: string[] }>;
}

/** Each file of spec/transcripts, a step a line, by its name. */
function readTranscripts(folder: URL): Map<string, unknown[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ndjson'));
  return new Map(
    files.map((path) => {
      const lines = readFileSync(new URL(path, folder), 'utf8').trimEnd().split('\n');
      return [path.replace(/^.*\/|\.ndjson$/g, ''), lines.map((line) => JSON.parse(line) as unknown)];
    }),
  );
}

/** The document, in which each transcript has its steps. @throws where a file has no title, a title no file, or a channel is not there */
export function withTranscripts<T extends Channels>(document: T, folder: URL): T {
  const files = readTranscripts(folder);
  const told = Object.entries(document['x-transcripts']).map(([name, transcript]) => {
    const steps = files.get(name);
    if (!steps || !files.delete(name)) throw new Error(`spec/transcripts.yaml: ${name} has no file`);
    for (const channel of transcript.channels)
      if (!document.channels[channel]) throw new Error(`spec/transcripts.yaml: ${name} is on no channel ${channel}`);
    return [name, { ...transcript, steps }] as const;
  });
  if (files.size > 0) throw new Error(`spec/transcripts.yaml does not name ${[...files.keys()].join(', ')}`);
  return { ...document, 'x-transcripts': Object.fromEntries(told) };
}

/** The document, in which each close code has its number. @throws where a name is not one of spec/frames.yaml */
export function withCloseCodes<T extends Channels>(document: T, frames: FramesDocument): T {
  const numbered = (entry: Channel['x-close-codes'][number]) => {
    if (typeof entry.code === 'number') return entry;
    const known = frames['x-close-codes'][entry.code];
    if (!known) throw new Error(`spec/close-codes.yaml: ${entry.code} is no close code of spec/frames.yaml`);
    return { ...entry, code: known.code };
  };
  const channels = Object.entries(document.channels).map(([name, channel]) => {
    const codes = channel['x-close-codes'].map(numbered);
    return [name, { ...channel, 'x-close-codes': codes }] as const;
  });
  return { ...document, channels: Object.fromEntries(channels) };
}
