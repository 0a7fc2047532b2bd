import type { CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';
import { signatureFlags } from './deploy-flags.ts';
import { byKind } from './list-flags.ts';

const release = { name: 'release', description: 'Tag or ID of the release' };
const ofKind: FlagSpec = { ...byKind, description: 'Kind of the release, if several have this tag' };

export const releaseCommands: readonly CommandSpec[] = [
  {
    path: 'releases list',
    summary: 'List releases',
    prints: 'list',
    flags: [
      {
        name: 'tag',
        type: 'text',
        value: 'tag',
        takes: 'release',
        description: 'List only releases of exactly this tag',
      },
      byKind,
      { name: 'archived', type: 'boolean', description: 'List only archived releases; without it, only the others' },
      ...pageFlags,
    ],
    examples: ['cli releases list', 'cli releases list --kind file', 'cli releases list --archived'],
    operations: ['listReleases'],
    load: async () => (await import('../commands/releases/releases.ts')).listReleases,
  },
  {
    path: 'releases archive',
    summary: 'Archive a release, so that it is no longer deployed',
    description:
      'New deployments of it are refused, and it is no longer listed. Deployments that exist continue, robots that run it keep it, and its file is kept.',
    prints: 'object',
    arguments: [release],
    flags: [ofKind],
    examples: ['cli releases archive nav-1.8.2', 'cli releases archive maps-7 --kind file'],
    operations: ['updateRelease', 'listReleases'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/releases/releases-archive.ts')).archiveRelease,
  },
  {
    path: 'releases unarchive',
    summary: 'Make an archived release available again',
    prints: 'object',
    arguments: [release],
    flags: [ofKind],
    examples: ['cli releases unarchive nav-1.8.2', 'cli releases unarchive maps-7 --kind file'],
    operations: ['updateRelease', 'listReleases'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/releases/releases-archive.ts')).unarchiveRelease,
  },
  {
    path: 'releases push',
    summary: 'Create a release from a file',
    description:
      'Records the hash and the size of the file. With --upload, also uploads the file, so that robots download it from the service; an interrupted upload resumes where it stopped.',
    prints: 'object',
    arguments: [{ name: 'path', takes: 'file', description: 'File; - is stdin' }],
    flags: [
      {
        name: 'tag',
        type: 'text',
        value: 'tag',
        takes: 'release',
        description: 'Name of this version',
        whenAbsent: 'the file’s name without extension',
      },
      { name: 'notes', type: 'text', value: 'text', description: 'Release notes', whenAbsent: 'none' },
      {
        name: 'kind',
        type: 'text',
        value: 'kind',
        takes: 'release kind',
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
    changes: 'unconfirmed',
    load: async () => (await import('../commands/releases/releases.ts')).pushRelease,
  },
];
