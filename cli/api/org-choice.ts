import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { idEndIn } from '../command-line/id.ts';
import { isSameName } from '../command-line/spellings.ts';
import { nearby } from '../command-line/suggest.ts';
import { either } from './not-found.ts';

/** The id of the only one of `orgs` with this name or short id. Throws CliError if there is none, or more than one. */
export function orgNamed(
  orgs: readonly { id: string; name: string }[],
  name: string,
  listHint = 'List your orgs with: cli whoami',
): string {
  const named = orgs.filter((org) => isSameName(org.name, name));
  const end = idEndIn(name);
  const found = named.length > 0 || end === undefined ? named : orgs.filter(({ id }) => id.endsWith(end));
  const [only] = found;
  if (only && found.length === 1) return only.id;
  if (only)
    throw new CliError(`${found.length} orgs match "${name}"`, {
      code: 'bad_request',
      exit: exitCode.usage,
      hint: `Select one by ID: ${found.map(({ id }) => id).join(', ')}`,
    });
  const near = nearby(
    name,
    orgs.map((org) => org.name),
  );
  throw new CliError(`org "${name}" not found`, {
    code: 'not_found',
    exit: exitCode.notFound,
    hint: `${near.length === 0 ? '' : `Did you mean ${either(near)}? `}${listHint}`,
  });
}
