import type { CommandSpec } from '../command-line/command-spec.ts';
import { robot } from './robots.ts';

export const cameraCommand: CommandSpec = {
  path: 'robots camera',
  summary: 'Show a camera of a robot; x saves a picture, q quits',
  description:
    'Draws on an alternate screen of the terminal: pictures in kitty, iTerm2 and WezTerm, else half blocks in color, or letters with NO_COLOR. A slow terminal\nor network skips pictures and shows the newest one. A lost connection and a failing camera are retried. With --out or --save, pictures are written to\nfiles instead, unchanged.',
  arguments: [robot],
  flags: [
    {
      name: 'camera',
      type: 'text',
      value: 'name',
      description: 'Name of the camera',
      whenAbsent: 'the first camera of the robot',
    },
    {
      name: 'fps',
      type: 'text',
      value: 'n',
      description: 'Pictures per second at most, 0.1 to 60',
      whenAbsent: '5 on the screen, else all',
    },
    {
      name: 'save',
      type: 'text',
      value: 'folder',
      takes: 'file',
      description: 'Write each picture to a file in this folder',
    },
    {
      name: 'out',
      type: 'text',
      value: 'file',
      takes: 'file',
      description: 'Write the pictures one after another to this file (MJPEG); - is stdout',
    },
    { name: 'once', type: 'boolean', description: 'Stop after the first picture; requires --out or --save' },
  ],
  examples: [
    'cli robots camera amr-007',
    'cli robots camera amr-007 --camera arm --fps 2',
    'cli robots camera amr-007 --once --out now.jpg',
    'cli robots camera amr-007 --save pictures --fps 0.1',
    'cli robots camera amr-007 --out - | ffplay -f mjpeg -',
  ],
  operations: ['getRobot', 'listRobots'],
  load: async () => (await import('../commands/robots/robots-camera.ts')).robotCamera,
};
