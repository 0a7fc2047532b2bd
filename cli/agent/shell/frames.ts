import { viewerFrames, type ShellAgentFrame, type ViewerFrame } from '../../../generated/shell.js';

/** Undefined for a frame of a type that is not known here; `bad` for one that breaks the contract. */
export function readViewerFrame(data: Buffer): ViewerFrame | 'bad' | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(data.toString('utf8'));
  } catch {
    return 'bad';
  }
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string') return 'bad';
  if (!Object.hasOwn(viewerFrames, frame.type)) return undefined;
  return viewerFrames[frame.type as ViewerFrame['type']](frame) ? (frame as ViewerFrame) : 'bad';
}

export const textOf = (frame: ShellAgentFrame) => JSON.stringify(frame);
