import type { CameraOffer } from '../../agent/camera/offer.ts';
import { camerasOf } from '../../agent/camera/spec.ts';
import { usage } from '../../command-line/errors.ts';
import { identityPath } from '../../files/identity.ts';
import { readToml } from '../../files/toml-file.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/**
 * The cameras of `--camera`, else those of agent.toml; undefined if there are none. Throws CliError for an invalid
 * camera.
 */
export async function readCameraSettings({
  flags,
  environment,
}: Pick<Invocation, 'flags' | 'environment'>): Promise<CameraOffer | undefined> {
  const flagged = flags.texts('camera');
  const path = identityPath(environment.configDirectory);
  const { cameras = [] } = flagged.length > 0 ? { cameras: flagged } : ((await readToml(path)) ?? {});
  const where = flagged.length > 0 ? '--camera' : `cameras of ${path}`;
  if (!Array.isArray(cameras) || !cameras.every((each) => typeof each === 'string'))
    throw usage(`${where}: not a list of strings in the format of --camera`);
  try {
    return cameras.length > 0 ? { cameras: camerasOf(cameras) } : undefined;
  } catch (error) {
    throw usage(
      `${where}: ${error instanceof Error ? error.message : String(error)}`,
      'Show usage with: cli help agent run',
    );
  }
}
