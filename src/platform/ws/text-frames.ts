import type { ValidateFunction } from 'ajv';
import { closeReason } from './close-reason.ts';

/** A JSON frame: the fields that all frames have. */
interface TextFrame {
  type: string;
}

/** The validators for one direction of a socket, by `type`. */
export interface Direction {
  sent: Readonly<Record<string, ValidateFunction>>;
  /** Types that the other side sends; a type in both tables may come from either side. */
  received: Readonly<Record<string, ValidateFunction>>;
}

/** Parses a text frame; returns an error message if it is invalid. */
export function readTextFrame(data: Buffer): TextFrame | string {
  let value: unknown;
  try {
    value = JSON.parse(data.toString());
  } catch {
    return 'a text frame must be JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a text frame must be a JSON object';
  return hasType(value) ? value : 'type: must be a string';
}

/**
 * The fault of a frame; undefined if it is accepted. A type unknown to both sides belongs to a later version and is
 * accepted.
 */
export function faultOf(frame: TextFrame, { sent, received }: Direction): string | undefined {
  const { type } = frame;
  const validate = Object.hasOwn(sent, type) ? sent[type] : undefined;
  if (validate) return faultBy(validate, frame, type);
  return Object.hasOwn(received, type) ? `${type}: this side may not send it` : undefined;
}

/** A validation error as a close reason: the place and the rule, never the value. Undefined if the frame is valid. */
export function faultBy(validate: ValidateFunction, frame: TextFrame, name: string): string | undefined {
  if (validate(frame)) return undefined;
  const [error] = validate.errors ?? [];
  return closeReason(`${name}${error?.instancePath ?? ''}: ${error?.message ?? 'invalid'}`);
}

const hasType = (value: object): value is TextFrame => 'type' in value && typeof value.type === 'string';
