import type { ValidateFunction } from 'ajv';
import { closeReason } from './close-reason.ts';

/** A JSON frame, as far as all kinds of frames are alike. */
interface TextFrame {
  type: string;
}

/** The validators of what may pass in one direction of a socket, by `type`. */
export interface Direction {
  sent: Readonly<Record<string, ValidateFunction>>;
  /** What only the other side sends; a type that is in both tables may come from either. */
  received: Readonly<Record<string, ValidateFunction>>;
}

/** Reads a text frame; gives a sentence where it is none. */
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

/** What is wrong with a frame; undefined if it may pass. A type that neither side is known to send is of a later version, and passes. */
export function faultOf(frame: TextFrame, { sent, received }: Direction): string | undefined {
  const { type } = frame;
  const validate = Object.hasOwn(sent, type) ? sent[type] : undefined;
  if (validate) return faultBy(validate, frame, type);
  return Object.hasOwn(received, type) ? `${type}: this side may not send it` : undefined;
}

/** What a validator finds wrong, as a close reason, undefined for nothing: the place and the rule, never the value. */
export function faultBy(validate: ValidateFunction, frame: TextFrame, name: string): string | undefined {
  if (validate(frame)) return undefined;
  const [error] = validate.errors ?? [];
  return closeReason(`${name}${error?.instancePath ?? ''}: ${error?.message ?? 'invalid'}`);
}

const hasType = (value: object): value is TextFrame => 'type' in value && typeof value.type === 'string';
