/**
 * The rules of the contract that Redocly does not bring. A message says what is wrong, whom it would hurt, and what to write: whoever adds an
 * operation learns from them how this contract is made.
 */
import { operationRules } from './operations.js';
import { outlineRules } from './outline.js';
import { proseRules } from './prose.js';
import { schemaRules } from './schemas.js';
import { subsetRules } from './subset.js';

export default function contractPlugin() {
  return {
    id: 'contract',
    rules: { oas3: { ...operationRules, ...outlineRules, ...proseRules, ...schemaRules, ...subsetRules } },
  };
}
