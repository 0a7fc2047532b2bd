import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { isSameName } from '../command-line/spellings.ts';
import { nearest } from '../command-line/suggest.ts';

/** The id of the token's only org with exactly this name. Throws CliError if there is none, or more than one. */
export function orgNamed(orgs: readonly { id: string; name: string }[], name: string): string {
  const found = orgs.filter((org) => isSameName(org.name, name));
  const [only] = found;
  if (only && found.length === 1) return only.id;
  if (only)
    throw new CliError(`${found.length} orgs are named "${name}"`, {
      code: 'bad_request',
      exit: exitCode.usage,
      hint: `Give one by its id: ${found.map(({ id }) => id).join(', ')}`,
    });
  const near = nearest(
    name,
    orgs.map((org) => org.name),
  );
  throw new CliError(`org not found: "${name}"`, {
    code: 'not_found',
    exit: exitCode.notFound,
    hint: `${near === undefined ? '' : `Did you mean "${near}"?   `}Those of your token: cli whoami`,
  });
}
