import { catalog } from '../command-specs/index.ts';
import { readEnvironment } from '../command-line/config.ts';
import { ioOf, processStreams } from '../command-line/io.ts';
import { rootHelp } from '../output/help.ts';

/** Prints the help of the client. When built, it has an outline of the commands alone (.ci/command-outline.mjs). */
export function showRootHelp(version: string): void {
  const { out } = ioOf(processStreams, readEnvironment().colour);
  out.write(rootHelp(out, catalog, version));
}
