import { masterAddress, rosAddress } from '../../agent/ros/address.ts';
import type { RosOffer } from '../../agent/ros/ros-graphs.ts';
import { usage } from '../../command-line/errors.ts';
import { identityPath } from '../../files/identity.ts';
import { readToml } from '../../files/toml-file.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/**
 * The ROS graphs of `--ros`, else of `ros` in agent.toml, else of `ROS_MASTER_URI` in `variables`; undefined if there
 * are none. Throws CliError for an invalid one.
 */
export async function readRosSettings(
  { flags, environment }: Pick<Invocation, 'flags' | 'environment'>,
  variables: Readonly<Record<string, string>>,
): Promise<RosOffer | undefined> {
  const path = identityPath(environment.configDirectory);
  const table = (await readToml(path)) ?? {};
  const flagged = flags.texts('ros');
  const urls = flagged.length > 0 ? flagged : table['ros'];
  const where = flagged.length > 0 ? '--ros' : `ros of ${path}`;
  const master = masterAddress(variables['ROS_MASTER_URI']);
  if (urls !== undefined && !(Array.isArray(urls) && urls.every((each) => typeof each === 'string')))
    throw usage(`${where}: not a list of strings in the format of --ros`);
  for (const each of urls ?? []) checked(where, each);
  const wanted = urls ?? (master === undefined ? [] : [master]);
  if (wanted.length === 0) {
    if (flags.on('ros-health')) throw usage('--ros-health requires --ros', 'Example: --ros ros1://127.0.0.1:11311');
    return undefined;
  }
  return {
    urls: wanted,
    hostname: variables['ROS_HOSTNAME'] ?? variables['ROS_IP'],
    // A master that only the environment names was not configured for log upload.
    sendsRosout: urls !== undefined && flags.on('rosout') && table['rosout'] !== false,
    tellsHealth: flags.on('ros-health') || table['ros_health'] === true,
  };
}

function checked(where: string, text: string): void {
  try {
    rosAddress(text);
  } catch (error) {
    throw usage(
      `${where}: ${error instanceof Error ? error.message : String(error)}`,
      'Show usage with: cli help agent run',
    );
  }
}
