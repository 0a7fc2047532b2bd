import type { CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';
import { signatureFlags } from './deploy-flags.ts';
import { byKind } from './list-flags.ts';

export const releaseCommands: readonly CommandSpec[] = [
  {
    path: 'releases list',
    summary: 'List releases',
    prints: 'list',
    flags: [
      { name: 'tag', type: 'text', value: 'tag', description: 'List only releases of exactly this tag' },
      byKind,
      ...pageFlags,
    ],
    examples: ['cli releases list', 'cli releases list --kind file', 'cli releases list -o wide'],
    operations: ['listReleases'],
    load: async () => (await import('../commands/releases/releases.ts')).listReleases,
  },
  {
    path: 'releases push',
    summary: 'Create a release from a file',
    description:
      'Records the hash and the size of the file. With --upload, also uploads the file, so that robots download it from the service; an interrupted upload resumes where it stopped.',
    prints: 'object',
    arguments: [{ name: 'path', description: 'File; - is stdin' }],
    flags: [
      {
        name: 'tag',
        type: 'text',
        value: 'tag',
        description: 'Name of this version',
        whenAbsent: 'the file’s name without extension',
      },
      { name: 'notes', type: 'text', value: 'text', description: 'Release notes', whenAbsent: 'none' },
      {
        name: 'kind',
        type: 'text',
        value: 'kind',
        description: 'How robots install it, such as container_image, file or script',
        whenAbsent: 'container_image',
      },
      ...signatureFlags('the artifact'),
      { name: 'upload', type: 'boolean', description: 'Also upload the file to the service' },
    ],
    examples: [
      'cli releases push nav-1.8.2.tar',
      'cli releases push nav-1.8.2.tar --upload',
      'cli releases push maps.bin --tag maps-7 --kind file --notes "Hall 3"',
      'release=$(cli releases push nav-1.8.2.tar --fields id)',
      'cli releases push - --tag nav-1.8.2 < image.tar',
    ],
    operations: ['createRelease', 'getArtifact', 'uploadArtifact'],
    load: async () => (await import('../commands/releases/releases.ts')).pushRelease,
  },
];
