/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
/** By operationId and status what judges the body; null where there is none, or a file. */
export declare const replies: Record<string, Record<number, ValidateFunction | null>>;
