import { dirname } from 'node:path';
import { build } from 'esbuild';

/**
 * The table of commands reduced to the words and summaries that the help of the client lists. With flags and examples it
 * is a large part of the client, and takes longer to load than the help takes to print.
 */
export const commandOutline = {
  name: 'the outline of the commands',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]command-specs[\\/]index\.ts$/ }, async ({ path }) => {
      const { catalog, inputs } = await evaluated(path);
      const { program } = catalog;
      const groups = catalog.groups.map(({ title, commands }) => ({
        title,
        commands: commands.map((command) => ({ path: command.path, summary: command.summary })),
      }));
      const words = [...new Set(catalog.commands.map((command) => command.path.split(' ')[0]))];
      const topics = Object.fromEntries(words.map((word) => [word, catalog.topic(word)]));
      const table = [groups, topics, program].map((each) => JSON.stringify(each)).join();
      return {
        contents: `import { catalogOf } from '../command-line/catalog.ts';\nexport const catalog = catalogOf(${table});`,
        resolveDir: dirname(path),
        watchFiles: inputs,
      };
    });
  },
};

/** The table itself, without what the commands do. */
async function evaluated(path) {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [withoutCommands],
  });
  const { catalog } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return { catalog, inputs: Object.keys(metafile.inputs) };
}

const withoutCommands = {
  name: 'no commands',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
  },
};
