import { unauthorized } from '../../../kernel/errors.ts';

/** The token of an Authorization header; undefined without one. @throws unauthorized for a header of another form */
export function readBearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bearer = /^Bearer ([!-~]{1,512})$/i.exec(header)?.[1];
  if (bearer === undefined || bearer.includes(','))
    throw unauthorized('the Authorization header must be: Bearer <token>');
  return bearer;
}
