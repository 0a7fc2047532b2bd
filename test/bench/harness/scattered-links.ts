import type { LinkProcess } from './links.ts';

interface Scattering {
  urls: readonly string[];
  tokens: readonly string[];
  takesOrders?: boolean;
  from?: string;
}

/** Links of these robots, each to one of the replicas by chance. */
export async function openScattered(holder: LinkProcess, { urls, tokens, ...options }: Scattering): Promise<void> {
  const shares = urls.map((): string[] => []);
  for (const token of tokens) shares[Math.floor(Math.random() * urls.length)]?.push(token);
  for (const [index, share] of shares.entries())
    await holder.run({ kind: 'open', url: urls[index] ?? '', tokens: share, ...options });
}
