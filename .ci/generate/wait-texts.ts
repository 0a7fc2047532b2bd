import type { OpenAPIV3_1 } from 'openapi-types';

type Code = { 'x-texts': Readonly<Record<string, string>> };

/** The texts of the codes of `waiting_on`, as the contract has them. */
export const waitTexts = ({ components }: Pick<OpenAPIV3_1.Document, 'components'>): Code['x-texts'] =>
  (components?.schemas?.['WaitingOn']?.properties?.['code'] as unknown as Code)['x-texts']; // the contract has it
