/** For each frame type, whether a frame keeps to the contract. */
type Validators<Frame extends { type: string }> = Readonly<Record<Frame['type'], (frame: unknown) => unknown>>;

/** Parses a frame. Undefined for an unknown type; `bad` for a frame that breaks the contract. */
export function readFrame<Frame extends { type: string }>(
  data: Buffer,
  validators: Validators<Frame>,
): Frame | 'bad' | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(data.toString('utf8'));
  } catch {
    return 'bad';
  }
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string') return 'bad';
  if (!Object.hasOwn(validators, frame.type)) return undefined;
  // Its validator confirms this.
  return validators[frame.type as Frame['type']](frame) ? (frame as unknown as Frame) : 'bad';
}
