import type { OpenAPIV3_1 } from 'openapi-types';
import { sampleCall } from './samples/call.ts';
import { cliSample } from './samples/cli.ts';
import { curlSample } from './samples/curl.ts';
import { pythonSample } from './samples/python.ts';
import { typescriptSample } from './samples/typescript.ts';

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const methods = ['get', 'put', 'post', 'patch', 'delete', 'head'] as const;

/** How each operation is called in four languages, by its operationId; `x-codeSamples` of the document that the reference shows. */
export async function codeSamples(document: OpenAPIV3_1.Document): Promise<Record<string, CodeSample[]>> {
  const samples: Record<string, CodeSample[]> = {};
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const method of methods) {
      const operation = item?.[method];
      if (!operation) continue;
      const call = sampleCall(document, path, method, operation);
      samples[call.operationId] = [
        { lang: 'Shell', label: 'curl', source: curlSample(call) },
        { lang: 'Shell', label: 'cli', source: cliSample(call) },
        { lang: 'TypeScript', label: 'TypeScript', source: await typescriptSample(call) },
        { lang: 'Python', label: 'Python', source: pythonSample(call) },
      ];
    }
  return samples;
}
