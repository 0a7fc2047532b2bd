import type { Api, Release } from '../../api/api.ts';
import { notFound } from '../../api/not-found.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Target, Signature } from './signature-types.ts';
import { artifactOf } from '../releases/releases-artifact.ts';
import { signForTarget, type Signer } from './sign.ts';

/**
 * Signs the release's artifact by the hash that the service returns. Throws CliError if `--sign-artifact` names a file
 * with another hash.
 */
export async function signRelease(
  call: Invocation,
  api: Api,
  signer: Signer,
  releaseId: string,
  target: Target,
): Promise<Signature> {
  const { tag, kind, artifact_sha256: digest } = await find(api, releaseId);
  const canCompare = call.flags.has('sign-artifact');
  const path = canCompare ? call.flags.text('sign-artifact') : undefined;
  if (path === undefined) {
    const compare = canCompare ? ' Compare it with your file: --sign-artifact <file>' : '';
    call.io.note(`Note: the signed hash is the one that the service reports.${compare}`);
  } else {
    const { sha256 } = await artifactOf(call, path);
    if (sha256 !== digest)
      throw new CliError(`nothing was signed: ${path} is not the artifact of ${tag}`, {
        code: 'conflict',
        exit: exitCode.conflict,
        hint: `The SHA-256 of the release is ${digest}, of the file ${sha256}. Sign the file that was pushed`,
      });
  }
  return signForTarget(call, api, signer, { lane: `release:${kind}`, digest, what: `${tag} of kind ${kind}` }, target);
}

async function find(api: Api, releaseId: string): Promise<Release> {
  const { body } = await api.get('/api/releases', { query: { id: releaseId } });
  const [found] = body.items;
  if (found) return found;
  throw notFound('release', releaseId, []);
}
