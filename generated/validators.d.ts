/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
/** The validators of each operation, by operationId: its body, if it has one, then its parameters. */
export declare const validators: Record<string, ValidateFunction[]>;
