import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { pwsh } from './pwsh.ts';
import type { Shell } from './shell.ts';
import { zsh } from './zsh.ts';

export const shells = { bash, zsh, fish, pwsh } satisfies Record<string, Shell>;

export const isShell = (name: string): name is keyof typeof shells => Object.hasOwn(shells, name);
