import type { LinkProcess } from './links.ts';

interface Scattering {
  urls: readonly string[];
  tokens: readonly string[];
  takesOrders?: boolean;
  from?: string;
}

/** Links that are opened to a replica before it is the turn of the next: few, or a replica would send its links to the others. */
const turn = 250;

/** Links of these robots, each to one of the replicas by chance. */
export async function openScattered(holder: LinkProcess, { urls, tokens, ...options }: Scattering): Promise<void> {
  const shares = urls.map((): string[] => []);
  for (const token of tokens) shares[Math.floor(Math.random() * urls.length)]?.push(token);
  while (shares.some((share) => share.length > 0))
    for (const [index, share] of shares.entries())
      await holder.run({ kind: 'open', url: urls[index] ?? '', tokens: share.splice(0, turn), ...options });
}
