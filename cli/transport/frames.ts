/** For each type of frames, whether a frame keeps to the contract. */
type Validators<Frame extends { type: string }> = Readonly<Record<Frame['type'], (frame: unknown) => unknown>>;

/** The frame of a text. Undefined for one of a type that is not known here; `bad` for one that breaks the contract. */
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
  // Its validator says so.
  return validators[frame.type as Frame['type']](frame) ? (frame as unknown as Frame) : 'bad';
}
