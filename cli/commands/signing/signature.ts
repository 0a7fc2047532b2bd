import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/**
 * The values of `--signature` and `--key-id` in the API's format: both or neither; empty if `--sign` creates them.
 * Throws a usage error if only one is given.
 */
export function signatureOf({ flags }: Invocation): { signature?: string; key_id?: string } {
  if (flags.has('sign') && flags.isGiven('sign')) return {};
  const [signature, keyId] = [flags.text('signature'), flags.text('key-id')];
  if (signature !== undefined && keyId !== undefined) return { signature, key_id: keyId };
  if (signature === undefined && keyId === undefined) return {};
  throw usage('--signature and --key-id require each other', 'Use both or neither');
}
