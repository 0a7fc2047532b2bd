import { format } from 'prettier';
import { baseUrl, type SampleCall } from './call.ts';

export async function typescriptSample(call: SampleCall): Promise<string> {
  const source = [
    ...(call.upload === undefined ? [] : ["import { openAsBlob } from 'node:fs';"]),
    ...(call.download === undefined ? [] : ["import { writeFile } from 'node:fs/promises';"]),
    "import { createClient } from 'fleet-control-service/client';",
    '',
    `const client = createClient({ baseUrl: '${baseUrl}', token: process.env.${call.token} ?? '' });`,
    ...(call.upload === undefined ? [] : [`const file = await openAsBlob('${call.upload}');`]),
    ...sent(call),
  ].join('\n');
  // As a person's editor would: the samples are read.
  return (await format(source, { parser: 'typescript', singleQuote: true, printWidth: 100 })).trimEnd();
}

function sent(call: SampleCall): string[] {
  const given = argumentsOf(call);
  const words = `'${call.template}'${given === '{}' ? '' : `, ${given}`}`;
  if (call.method === 'HEAD')
    return [
      `const { response } = await client.raw.HEAD(${words});`,
      "console.log(response.status, response.headers.get('Content-Length'));",
    ];
  if (call.download !== undefined)
    return [
      `const { data } = await client.raw.${call.method}(${words});`,
      `if (data) await writeFile('${call.download}', data);`,
    ];
  if (call.pages) return [`for await (const item of client.list(${words})) console.log(item);`];
  const answer = { items: '{ items }', data: '{ data }', whole: 'answer' }[call.answer];
  const printed = answer.replace(/\W/g, '');
  return [`const ${answer} = await client.${call.method}(${words});`, `console.log(${printed});`];
}

function argumentsOf(call: SampleCall): string {
  const { pathParameters, query } = call;
  const params = {
    ...(Object.keys(pathParameters).length > 0 && { path: pathParameters }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const parts = [
    ...(Object.keys(params).length > 0 ? [`params: ${JSON.stringify(params)}`] : []),
    ...(call.body === undefined ? [] : [`body: ${JSON.stringify(call.body)}`]),
    ...(call.upload === undefined
      ? []
      : [
          "headers: { 'Content-Type': 'application/octet-stream' }",
          `body: '${call.upload}'`,
          'bodySerializer: () => file',
        ]),
    ...(call.download === undefined ? [] : ["parseAs: 'stream'"]),
  ];
  return `{${parts.join(', ')}}`;
}
