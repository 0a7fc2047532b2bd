import type { CommandSpec } from '../command-line/command-spec.ts';
import { robot } from './robots.ts';

export const cameraCommand: CommandSpec = {
  path: 'robots camera',
  summary: 'Look through a camera of a robot; x saves a picture, q leaves',
  description:
    'On another screen of the terminal, drawn as well as that can: pictures where it is kitty, iTerm2 or WezTerm, else half blocks in colour, and letters with\nNO_COLOR. Only the newest picture counts: what a slow terminal or network has no time for is left out. A connection that is lost, and a camera that\nfails, are tried again. With --out or --save pictures go into files instead, as the camera made them.',
  arguments: [robot],
  flags: [
    {
      name: 'camera',
      type: 'text',
      value: 'name',
      description: 'Name of the camera',
      whenAbsent: 'the first one of the robot',
    },
    {
      name: 'fps',
      type: 'text',
      value: 'n',
      description: 'Pictures a second at most, 0.1 to 60',
      whenAbsent: '5 on the screen, else as many as there are',
    },
    { name: 'save', type: 'text', value: 'folder', description: 'Put each picture into a file in this folder' },
    {
      name: 'out',
      type: 'text',
      value: 'file',
      description: 'Write them one behind the other into this file (MJPEG); - is stdout',
    },
    { name: 'once', type: 'boolean', description: 'End after the first picture; with --out or --save' },
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
