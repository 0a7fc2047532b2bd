import { viewerFrames, type ShellAgentFrame, type ViewerFrame } from '../../../generated/shell.js';
import { readFrame } from '../../transport/frames.ts';

/** Undefined for a frame of a type that is not known here; `bad` for one that breaks the contract. */
export const readViewerFrame = (data: Buffer) => readFrame<ViewerFrame>(data, viewerFrames);

export const textOf = (frame: ShellAgentFrame) => JSON.stringify(frame);
