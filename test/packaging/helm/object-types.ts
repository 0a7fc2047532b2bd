import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../../support/documents.ts';

/** Where the file that is compiled would be: packages are looked for from there. */
const path = join(repository, 'test/packaging/helm/objects.ts');
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};
/** Types and libraries are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The module of the package `kubernetes-types` for an API version, such as `networking/v1` for `networking.k8s.io/v1`. */
function moduleOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `kubernetes-types/${group.split('.')[0]}/${version}`;
}

/**
 * What Kubernetes would not accept in these objects: fields that it does not have, a wrong type, or a missing field that it
 * requires. Values of enumerations are not checked, as the types have them as strings.
 */
export function wrongIn(objects: readonly { apiVersion: string; kind: string }[]): string[] {
  const text = objects
    .map((object, index) => {
      const type = `import('${moduleOf(object.apiVersion)}').${object.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(object, undefined, 2)};`;
    })
    .join('\n');
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language) => {
    if (name === path) return ts.createSourceFile(name, text, language, true);
    if (!parsed.has(name)) parsed.set(name, read(name, language));
    return parsed.get(name);
  };
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.text.slice(start).split('\n', 1).join('') : '';
    return `${line.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
