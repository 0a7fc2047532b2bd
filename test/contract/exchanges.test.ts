import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { shellAgentFrames, viewerFrames } from '../../generated/shell.js';
import { sourceFrames, watcherFrames } from '../../generated/media.js';
import { agentFrames, serverFrames } from '../../generated/frames.js';
import { streamTranscripts, transcripts, type StreamStep } from '../support/transcripts.ts';

type Channel = keyof typeof asyncapi.channels;
const told: Record<string, { title: string; channels: string[]; steps: unknown[] }> = asyncapi['x-transcripts'];
const all = [...transcripts, ...streamTranscripts];

/** The channel of each socket of a transcript, by its name there. */
function channelsOf(steps: readonly StreamStep[]): Map<string, Channel> {
  const found = new Map<string, Channel>();
  for (const step of steps) {
    if (!('open' in step)) continue;
    const path = step.open === true ? '/agent/ws' : step.open.replace(/\?.*/, '');
    const channel = Object.entries(asyncapi.channels).find(([, { address }]) =>
      new RegExp(`^${address.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    if (channel) found.set(step.link, channel[0] as Channel);
  }
  return found;
}

const steps = all.flatMap(({ name, steps }) => {
  const links = channelsOf(steps);
  return steps.flatMap((step) => ('link' in step ? [{ name, step, channel: links.get(step.link) }] : []));
});

test('/asyncapi.json shows the transcripts that are played against the service, step by step', () => {
  expect(Object.fromEntries(Object.entries(told).map(([name, { steps }]) => [name, steps]))).toEqual(
    Object.fromEntries(all.map(({ name, steps }) => [name, steps])),
  );
});

test('each transcript stands with the channels whose sockets it has, and each channel has one that shows its end', () => {
  for (const { name, steps } of streamTranscripts) {
    const met = new Set([...channelsOf(steps).values()].filter((channel) => channel !== 'agentLink'));
    expect([name, [...(told[name]?.channels ?? [])].sort()]).toEqual([name, [...met].sort()]);
  }
  for (const { name } of transcripts) expect(told[name]?.channels).toEqual(['agentLink']);
  const ended = new Set(steps.flatMap(({ step, channel }) => ('close' in step ? [channel] : [])));
  expect([...ended].sort()).toEqual(Object.keys(asyncapi.channels).sort());
});

test('every way in which the service closes a socket in a transcript is one that its channel tells of', () => {
  let closes = 0;
  for (const { name, step, channel } of steps) {
    if (!('close' in step) || step.from !== 'server' || !channel) continue;
    const codes = asyncapi.channels[channel]['x-close-codes'].filter(({ from }) => from === 'service');
    expect(
      codes.map(({ code }) => code),
      name,
    ).toContain(step.close);
    closes += 1;
  }
  expect(closes).toBeGreaterThan(15);
});

test('every frame of a stream is valid, and each that a stream can carry is shown', () => {
  const kinds = { ...agentFrames, ...serverFrames, ...shellAgentFrames, ...viewerFrames, ...watcherFrames };
  const validators: Record<string, (frame: unknown) => boolean> = { ...kinds, ...sourceFrames };
  const shown = new Set<string | undefined>();
  for (const { name, step, channel } of steps) {
    if (!('frame' in step) || !channel || channel === 'agentLink') continue;
    const { type } = step.frame;
    shown.add(type);
    // Records have a type of their own or none, and are of programs that share nothing with us.
    if (type !== undefined && type in validators)
      expect(validators[type]?.(step.frame), `${name} ${JSON.stringify(step.frame)}`).toBe(true);
  }
  const streamed = [shellAgentFrames, viewerFrames, watcherFrames, sourceFrames].flatMap(Object.keys);
  expect([...new Set(streamed)].filter((type) => !shown.has(type))).toEqual([]);
});
