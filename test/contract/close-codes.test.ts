import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { closeCodes } from '../../generated/protocol.js';

const root = new URL('../../', import.meta.url);
type Channel = keyof typeof asyncapi.channels;
const channels = Object.keys(asyncapi.channels) as Channel[];

const watched: Channel[] = ['robotCamera', 'robotTopic'];
const relayed: Channel[] = ['robotShell', ...watched];
const viewers: Channel[] = [...relayed, 'robotLogs'];
const link: Channel[] = ['agentLink'];
const dialBack: Channel[] = ['agentStream'];
const both = [...relayed, ...dialBack];
/** It is compared with, or ends a socket between replicas. */
const nowhere: Channel[] = [];

/** Where src/ closes by a code, and on which channels. Numbers stand for those that have no name in the contract. */
const senders: Record<string, Record<string, Channel[]>> = {
  'live/logs/handlers.ts': {
    agentOffline: ['robotLogs'],
    notFound: ['robotLogs'],
    policy: ['robotLogs'],
    tryLater: ['robotLogs'],
  },
  'platform/ws/keep-alive.ts': { 1008: [...viewers, ...dialBack] },
  'live/dial-back/agent-requests.ts': {
    agentOffline: relayed,
    tryLater: relayed,
    ended: nowhere,
    gone: nowhere,
    policy: nowhere,
    restarting: nowhere,
  },
  'live/dial-back/dial-back.ts': { agentOffline: relayed, ended: dialBack },
  'live/dial-back/close-codes.ts': {
    ended: both,
    forbidden: both,
    restarting: both,
    1001: both,
    policy: relayed,
    tooBig: relayed,
    serverError: relayed,
    tryLater: relayed,
    helloTimeout: relayed,
    replaced: relayed,
    gone: relayed,
    busy: relayed,
    agentOffline: relayed,
    notFound: relayed,
    unauthorized: nowhere,
    1005: nowhere,
    1006: nowhere,
  },
  'live/dial-back/replica-proxy.ts': { restarting: dialBack },
  'live/dial-back/shell-frames.ts': { policy: ['robotShell', ...dialBack], tooBig: ['robotShell', ...dialBack] },
  'live/dial-back/service.ts': { ended: dialBack, forbidden: ['robotShell'], tryLater: ['robotShell'] },
  'agent-links/drain.ts': { restarting: link },
  'agent-links/frame-router.ts': { policy: link, protocolUnsupported: link, tryLater: link },
  'agent-links/liveness.ts': { helloTimeout: link },
  'agent-links/reports.ts': { tryLater: link },
  'agent-links/hello-handler.ts': { tryLater: link },
  'agent-links/link-endings.ts': { replaced: link, restarting: link, unauthorized: link },
  'agent-links/service.ts': { tryLater: link, unauthorized: link },
  'live/viewers/service.ts': { busy: viewers, notFound: viewers, restarting: viewers, unauthorized: viewers },
  'live/media/serve-replica.ts': { policy: nowhere },
  'live/media/service.ts': { policy: watched, restarting: watched },
  'live/media/topic-lists.ts': { ended: dialBack, forbidden: nowhere },
  'live/media/shared-upstreams.ts': { ended: dialBack, policy: [...watched, ...dialBack], tryLater: watched },
};

/** What ws closes a socket with by itself, whichever it is. */
const ofEverySocket = [1002, 1007, 1009];

const numberOf = (code: string) => (closeCodes as Record<string, number>)[code] ?? Number(code);
const source = (path: string) => readFileSync(new URL(`src/${path}`, root), 'utf8');

/** Names of the contract's codes, and numbers that are constants: `const goingAway = 1_001;`. */
function codesIn(text: string): string[] {
  const named = [...text.matchAll(/\bcloseCodes\.(\w+)/g)].map(([, name = '']) => name);
  const numbers = [...text.matchAll(/^const \w+ = (1_0[01]\d|4_4\d\d);/gm)].map(([, digits = '']) =>
    digits.replace('_', ''),
  );
  return [...new Set([...named, ...numbers])].filter((code) => code !== '1000').sort();
}

const documented = (channel: Channel, from: string) =>
  asyncapi.channels[channel]['x-close-codes'].filter((entry) => entry.from === from).map(({ code }) => code);
const sorted = (codes: Iterable<number>) => [...new Set(codes)].sort((one, other) => one - other);

test('whatever closes a socket in src/ is known, by file and code', () => {
  const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const found = files.map((path) => [path, codesIn(source(path))] as const).filter(([, codes]) => codes.length > 0);
  const known = Object.entries(senders).map(([path, codes]) => [path, Object.keys(codes).sort()] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));
});

test('each channel tells of every code by which the service closes it, and of no other', () => {
  for (const channel of channels) {
    const sent = Object.values(senders).flatMap((codes) =>
      Object.keys(codes).filter((code) => codes[code]?.includes(channel)),
    );
    const told = documented(channel, 'service');
    expect([channel, sorted(told)]).toEqual([channel, sorted([...ofEverySocket, ...sent.map(numberOf)])]);
    expect(told, channel).toHaveLength(new Set(told).size);
  }
});

test('a dial-back tells of every code that an agent may say to its viewers', () => {
  const [, list = ''] =
    /const ofAgents = new Set<number>\(\[(.*?)\]\)/s.exec(source('live/dial-back/close-codes.ts')) ?? [];
  const named = [...list.matchAll(/closeCodes\.(\w+)/g)].map(([, name = '']) => numberOf(name));
  expect(named.length).toBeGreaterThan(5);
  expect(sorted(documented('agentStream', 'agent'))).toEqual(sorted([1001, ...named]));
});

test('every code of the contract comes on a channel, and says in sentences when and what to do', () => {
  const all = channels.flatMap((channel) => asyncapi.channels[channel]['x-close-codes']);
  const told = new Set(all.map(({ code }) => code));
  expect(Object.entries(closeCodes).filter(([, code]) => !told.has(code))).toEqual([]);
  for (const { code, when, then } of all)
    for (const text of [when, then]) expect(text, String(code)).toMatch(/^[A-Z].*\.$/);
});
