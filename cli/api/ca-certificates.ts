import { CliError } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/**
 * The certificates of `--ca-file`, plus those that Node trusts by default and those of NODE_EXTRA_CA_CERTS; undefined
 * without the flag. Throws CliError if the file cannot be read or has no certificate.
 */
export async function caCertificatesOf({ flags, environment }: Invocation): Promise<string[] | undefined> {
  const path = flags.text('ca-file');
  if (path === undefined) return undefined;
  const [{ readFile }, { X509Certificate }, { rootCertificates }] = await Promise.all([
    import('node:fs/promises'),
    import('node:crypto'),
    import('node:tls'),
  ]);
  const own = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unusable(path, error);
  });
  try {
    // Node silently accepts a file without any certificate.
    new X509Certificate(own);
  } catch (error) {
    throw unusable(path, error);
  }
  const { extraCaFile } = environment;
  // Node itself warns of an unreadable extra file, and continues.
  const extra = extraCaFile === undefined ? '' : await readFile(extraCaFile, 'utf8').catch(() => '');
  return [...rootCertificates, ...(extra === '' ? [] : [extra]), own];
}

function unusable(path: string, error: unknown): CliError {
  return new CliError(`--ca-file: ${path} cannot be used (${error instanceof Error ? error.message : String(error)})`, {
    code: 'bad_request',
    hint: 'Use a file with PEM certificates, such as --ca-file fleet-ca.pem',
    cause: error,
  });
}
