import { viewerFrames, type ShellAgentFrame, type ViewerFrame } from '../../../generated/shell.js';
import { readFrame } from '../../transport/frames.ts';

/** Undefined for an unknown frame type; `bad` for a frame that breaks the contract. */
export const readViewerFrame = (data: Buffer) => readFrame<ViewerFrame>(data, viewerFrames);

export const textOf = (frame: ShellAgentFrame) => JSON.stringify(frame);
