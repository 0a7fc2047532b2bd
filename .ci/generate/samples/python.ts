import { baseUrl, pathOf, type SampleCall } from './call.ts';

/** The standard library alone. */
export function pythonSample(call: SampleCall): string {
  const sends = call.body !== undefined;
  const readsJson = call.method !== 'HEAD' && call.download === undefined;
  const modules = [
    ...(sends || readsJson ? ['json'] : []),
    'os',
    ...(call.download === undefined ? [] : ['shutil']),
    'urllib.request',
    ...(call.takesKey ? ['uuid'] : []),
  ];
  const headers = [
    `"Authorization": f"Bearer {os.environ['${call.token}']}",`,
    ...(call.takesKey ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(sends ? ['"Content-Type": "application/json",'] : []),
    // urllib would send the file in chunks, whose length nobody knows before their end.
    ...(call.upload === undefined
      ? []
      : ['"Content-Type": "application/octet-stream",', `"Content-Length": str(os.path.getsize("${call.upload}")),`]),
  ];
  const body = sends ? dumped(call.body) : call.upload === undefined ? [] : [`    data=open("${call.upload}", "rb"),`];
  return [
    ...modules.map((name) => `import ${name}`),
    '',
    'request = urllib.request.Request(',
    `    "${baseUrl}${pathOf(call)}",`,
    ...(call.method === 'GET' ? [] : [`    method="${call.method}",`]),
    ...(headers.length === 1
      ? [`    headers={${headers[0]?.slice(0, -1)}},`]
      : ['    headers={', ...headers.map((line) => `        ${line}`), '    },']),
    ...body,
    ')',
    'with urllib.request.urlopen(request) as reply:',
    ...read(call),
  ].join('\n');
}

function read(call: SampleCall): string[] {
  if (call.method === 'HEAD') return ['    print(reply.status, reply.headers["Content-Length"])'];
  if (call.download !== undefined)
    return [`    with open("${call.download}", "wb") as file:`, '        shutil.copyfileobj(reply, file)'];
  if (call.answer === 'whole') return ['    print(json.load(reply))'];
  if (call.answer === 'data') return ['    print(json.load(reply)["data"])'];
  return ['    for item in json.load(reply)["items"]:', '        print(item)'];
}

/** On one line where it fits, else a field on each. */
function dumped(body: unknown): string[] {
  const line = `    data=json.dumps(${literal(body)}).encode(),`;
  if (line.length <= 100) return [line];
  const fields = Object.entries(body as object).map(
    ([name, value]) => `            ${JSON.stringify(name)}: ${literal(value)},`,
  );
  return ['    data=json.dumps(', '        {', ...fields, '        }', '    ).encode(),'];
}

/** JSON is Python but for three words. */
function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${literal(each)}`)
    .join(', ')}}`;
}
