import { StepFailed, type Handler, type Task } from '../orders/handler.ts';
import type { PayloadSource } from '../orders/payload.ts';
import type { RunningAgent } from '../update/running-agent.ts';

/** Where releases come from and go to. */
export interface ReleaseSettings {
  /** Artifacts by their SHA-256, put there by somebody else; what is not there is downloaded. */
  artifacts: string;
  /** Where releases are installed; made if it is missing. */
  folder: string;
  source: PayloadSource;
  /** SHA-256 of a file that is asked for again and again, in hex; default: reads it. */
  digestOf?: ((path: string) => Promise<string>) | undefined;
  /** Where executables for kinds are, which come before what is built in; the first folder that has one decides. Default: none. */
  handlerFolders?: readonly string[];
  /** Changes with each boot of the machine. Default: each start of the agent counts as one. */
  bootId?: string;
  /** What makes the machine boot again, where an executable leaves that to the agent. Default: `systemctl reboot`. */
  rebootCommand?: readonly [string, ...string[]];
  /** Of the programs that install; default: empty. */
  environment?: Readonly<Record<string, string>>;
  /** Where the operator's own files for them are; default: there are none. */
  configDirectory?: string;
  /** The only one that is used; default: podman, or docker where that is what works or holds the container of before. */
  containerEngine?: string | undefined;
  /** How long what was installed must run well before it counts; default: 10, for the agent itself 120. */
  settleSeconds?: number | undefined;
  /** The agent that carries out the orders; default: none, and releases of the kind `agent` fail. */
  self?: RunningAgent | undefined;
}

/** What installs the releases of one kind. */
export interface Kind {
  /** Throws StepFailed where it cannot even begin. */
  handler(settings: ReleaseSettings, release: Release, task: Task): Handler | Promise<Handler>;
  /** Whether there is what installs them; it may still fail. Default: there is. */
  isOffered?(settings: ReleaseSettings): boolean | Promise<boolean>;
  /** SHA-256 of the artifact that runs now, as read back from the machine, in hex; undefined where none does. Rejects where that failed, and when the signal ends it. Default: nobody can tell. */
  running?(settings: ReleaseSettings, signal: AbortSignal): Promise<string | undefined>;
}

/** What a release order carries. */
export interface Release {
  id: string;
  tag: string;
  kind: string;
  sha256: string;
  /** In bytes. */
  size: number;
}

/** Throws StepFailed if it is none: `{"release": {id, tag, kind, artifact_sha256, artifact_size}}`. */
export function readRelease(payload: string): Release {
  let release: Record<string, unknown> | undefined;
  try {
    ({ release } = JSON.parse(payload) as { release?: Record<string, unknown> });
  } catch {
    // Told below.
  }
  const { id, tag, kind, artifact_sha256: sha256, artifact_size: size } = release ?? {};
  const isRelease = [id, tag, kind].every((text) => typeof text === 'string' && text !== '');
  if (!isRelease || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || !Number.isSafeInteger(size))
    throw new StepFailed('bad_payload', 'the payload holds no release');
  return { id, tag, kind, sha256, size } as Release;
}

/** A name for the artifact that says its tag and leads nowhere else. */
export function fileNameOf({ tag }: Release): string {
  const name = tag.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 100);
  return name.startsWith('.') ? `_${name}` : name;
}
