import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Capabilities } from '../../generated/frames.js';
import { startTestService, type TestService } from './test-service.ts';
import { BrokenRule, NoLink, NotSupported, until } from './rule.ts';
import type { ServedLink } from './served-link.ts';
import { startSubject, type AgentUnderTest } from './agent-under-test.ts';
import { folderVariable, type AgentSandbox } from './agent-sandbox.ts';

/** One requirement of the protocol. */
export interface Check {
  /** The name for `--only`. */
  name: string;
  /** What the agent must do, as a sentence. */
  rule: string;
  /** It waits for half a minute, so it begins before the others. Default: not slow. */
  isSlow?: true;
  /** @throws BrokenRule, NoLink, NotSupported */
  run(scene: CheckContext): Promise<void>;
}

/** An agent with its own test service, which it has never connected to. */
export interface CheckContext {
  service: TestService;
  /** How long to wait for an expected event, in ms. */
  timeoutMs: number;
  /** Starts the agent, in the same folder as before. */
  start(): AgentUnderTest;
  /** The agent that was started last. */
  subject(): AgentUnderTest;
  /** Starts the agent and returns its first welcomed link; its hello says these capabilities. */
  linked(...needs: (keyof Capabilities)[]): Promise<ServedLink>;
  /** Returns the link that the agent opens after this many. */
  linkAfter(count: number, withinMs?: number): Promise<ServedLink>;
  /** Writes lines to where the agent may read them as a log. */
  write(lines: readonly string[]): Promise<void>;
  /** Calls the function `until` with the timeout of this run; its error includes the agent's output. */
  until<T>(look: () => T | undefined | false, otherwise: string, withinMs?: number): Promise<T>;
}

/** The placeholders of a command: `{url}` in the command, and the environment variable of this name. */
const placeholders = {
  url: 'SERVICE_URL',
  key: 'SERVICE_ENROLLMENT_KEY',
  folder: folderVariable,
  log: 'CONFORMANCE_LOG',
} as const;

export interface SceneSettings {
  command: string;
  /** Its folder, empty at first, is the agent's home. */
  workplace: AgentSandbox;
  environment: Record<string, string>;
  timeoutMs: number;
  /** A link with a hello came up. */
  linked(): void;
}

/**
 * Frames of an ended agent may arrive for this long. It is checked repeatedly, since another process may continue in
 * its place.
 */
const lastWordsMs = 1_000;

export async function startScene(settings: SceneSettings): Promise<CheckContext & AsyncDisposable> {
  const { workplace, timeoutMs } = settings;
  const { folder } = workplace;
  const service = await startTestService();
  service.manner.endsBroken = false;
  service.manner.heartbeatSeconds = 1;
  const subjects: AgentUnderTest[] = [];
  let isOver = () => false;
  const log = join(folder, 'conformance.log');
  await appendFile(log, '');
  const values = { url: service.url, key: service.key, folder, log };
  const line = settings.command.replaceAll(
    /\{(url|key|folder|log)\}/g,
    (_whole, name: keyof typeof values) => values[name],
  );
  const named = Object.entries(placeholders).map(([name, variable]) => [variable, values[name as keyof typeof values]]);
  // Folders of the current user: an agent would find another identity there.
  const rest = Object.entries(settings.environment).filter(([name]) => !name.startsWith('XDG_'));
  const environment = {
    ...Object.fromEntries(rest),
    HOME: folder,
    ...(Object.fromEntries(named) as Record<string, string>),
  };
  const scene: CheckContext = {
    service,
    timeoutMs,
    start() {
      const subject = startSubject(line, environment, workplace.own);
      subjects.push(subject);
      isOver = overWhen(() => subject.ended() !== undefined && workplace.isEmpty());
      return subject;
    },
    subject: () => subjects.at(-1) ?? scene.start(),
    async linked(...needs) {
      scene.start();
      const link = await scene.linkAfter(0).catch((error: unknown) => {
        throw error instanceof BrokenRule ? new NoLink(error.message) : error;
      });
      for (const each of needs) {
        const able = link.hello?.capabilities?.[each];
        if (able === undefined || able === false || (Array.isArray(able) && able.length === 0))
          throw new NotSupported(`its hello does not say capabilities.${String(each)}`);
      }
      return link;
    },
    async linkAfter(count, withinMs) {
      const link = await scene.until(
        () => service.links.slice(count).find(({ hello }) => hello),
        count === 0 ? 'no link came up, with a hello' : 'it did not come back with a hello',
        withinMs,
      );
      settings.linked();
      return link;
    },
    async write(lines) {
      for (const each of lines) scene.subject().write(each);
      await appendFile(log, lines.map((each) => `${each}\n`).join(''));
    },
    until: (look, otherwise, withinMs = timeoutMs) =>
      until(
        look,
        withinMs,
        () => isOver(),
        () => {
          const subject = subjects.at(-1);
          const how = subject?.ended();
          const end = how ? `; it has ended with ${how.signal ?? how.code}` : '';
          const said = subject?.said().trim().split('\n').slice(-3).join(' | ') ?? '';
          const twice =
            service.replaced > 0 ? `; it opened a second link beside its first ${service.replaced} times` : '';
          return `${otherwise}${twice}${end}${said === '' ? '' : `; it wrote: ${said}`}`;
        },
      ),
  };
  return {
    ...scene,
    async [Symbol.asyncDispose]() {
      await Promise.all(subjects.map((subject) => subject.end()));
      await service[Symbol.asyncDispose]();
    },
  };
}

/** True once `look` was true for a while. It is called rarely, since it takes some milliseconds. */
function overWhen(look: () => boolean): () => boolean {
  let since: number | undefined;
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return false;
    nextAt = now + lastWordsMs / 2;
    since = look() ? (since ?? now) : undefined;
    return since !== undefined && now - since >= lastWordsMs;
  };
}
