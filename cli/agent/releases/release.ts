import { StepFailed, type Handler, type OrderContext } from '../orders/handler.ts';
import type { PayloadSource } from '../orders/payload.ts';
import type { RunningAgent } from '../update/running-agent.ts';

/** Sources and folders of releases. */
export interface ReleaseSettings {
  /** Folder of artifacts by SHA-256, filled by other programs or people. Missing artifacts are downloaded. */
  artifacts: string;
  /** Where releases are installed; created if missing. */
  folder: string;
  source: PayloadSource;
  /** SHA-256, in hex, of a file that is checked again and again. Default: reads the file. */
  digestOf?: ((path: string) => Promise<string>) | undefined;
  /**
   * Folders with executables for kinds, which take precedence over built-in kinds. The first folder that has one
   * decides. Default: none.
   */
  handlerFolders?: readonly string[];
  /** Changes with each boot of the machine. Default: each start of the agent counts as a boot. */
  bootId?: string;
  /** Reboots the machine if an executable leaves that to the agent. Default: `systemctl reboot`. */
  rebootCommand?: readonly [string, ...string[]];
  /** Environment of the programs that install. Default: empty. */
  environment?: Readonly<Record<string, string>>;
  /** Folder of the operator's own files for these programs. Default: none. */
  configDirectory?: string;
  /** The only engine to use. Default: podman, or docker if only docker works or docker holds the previous container. */
  containerEngine?: string | undefined;
  /** How long an installed release must run well to be verified. Default: 10 s, for the agent itself 120 s. */
  settleSeconds?: number | undefined;
  /** The agent that carries out the orders. Default: none, and releases of the kind `agent` fail. */
  self?: RunningAgent | undefined;
}

/** Installs the releases of one kind. */
export interface Kind {
  /** Throws StepFailed if the order cannot even begin. */
  handler(settings: ReleaseSettings, release: Release, task: OrderContext): Handler | Promise<Handler>;
  /** Whether these releases can be installed here; an order may still fail. Default: yes. */
  isOffered?(settings: ReleaseSettings): boolean | Promise<boolean>;
  /**
   * SHA-256 of the running artifact, in hex, as read back from the machine; undefined if none runs. Rejects on failure,
   * and when the signal aborts. Default: unknown.
   */
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

/** Parses `{"release": {id, tag, kind, artifact_sha256, artifact_size}}`. Throws StepFailed for any other payload. */
export function readRelease(payload: string): Release {
  let release: Record<string, unknown> | undefined;
  try {
    ({ release } = JSON.parse(payload) as { release?: Record<string, unknown> });
  } catch {
    // Reported below.
  }
  const { id, tag, kind, artifact_sha256: sha256, artifact_size: size } = release ?? {};
  const isRelease = [id, tag, kind].every((text) => typeof text === 'string' && text !== '');
  if (!isRelease || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || !Number.isSafeInteger(size))
    throw new StepFailed('bad_payload', 'the payload has no release');
  return { id, tag, kind, sha256, size } as Release;
}

/** A file name for the artifact that shows its tag and cannot lead to another folder. */
export function fileNameOf({ tag }: Release): string {
  const name = tag.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 100);
  return name.startsWith('.') ? `_${name}` : name;
}
