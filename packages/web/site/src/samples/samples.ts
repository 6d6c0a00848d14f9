import { type Route, routes } from '@tds/http-api';
import { type ClientCall, pythonCalls, typescriptCalls } from './client-calls.ts';
import { type SampleRequest, sampleRequests, type Values } from './requests.ts';

export type Sample = { readonly language: 'curl' | 'TypeScript' | 'Python'; readonly code: string };

type Operation = {
  readonly row: Route;
  readonly request: SampleRequest;
  /** The whole address. */
  readonly url: string;
};

const isForKeys = ({ access }: Route): boolean => access === 'key' || access === 'key-or-session';
const isSessions = ({ access }: Route): boolean => access === 'session';

/** The headers of a request, whose secrets are variables of the environment. */
const buildHeaders = ({ row, request }: Operation): Readonly<Record<string, string>> => ({
  ...(isForKeys(row) || row.id === 'checkout' ? { Authorization: 'Bearer $TRANSCRIPTS_API_KEY' } : {}),
  ...(isSessions(row) ? { Cookie: 'svc_dashboard=$SESSION' } : {}),
  ...(isSessions(row) && row.method !== 'GET' ? { 'X-Service-Dashboard': '1' } : {}),
  ...(row.signedBy === undefined ? {} : { [row.signedBy]: '$SIGNATURE' }),
  ...(request.body ? { 'Content-Type': 'application/json' } : {}),
});

const curl = (operation: Operation): string => {
  const { row, request, url } = operation;
  const lines = [
    row.method === 'GET' ? 'curl' : `curl -X ${row.method}`,
    ...Object.entries(buildHeaders(operation)).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(request.body ? [`-d '${JSON.stringify(request.body)}'`] : []),
    ...(row.id === 'getJobArchive' ? ['-o talks.zip'] : []),
    ...(row.id === 'getJobDocument' ? ['-o talks.md'] : []),
    `"${url}"`,
  ];
  const [command, first, ...rest] = lines;
  return [`${command} ${first}`, ...rest].join(' \\\n  ');
};

type Language = {
  readonly literal: (value: unknown) => string;
  readonly named: (values: Values) => string;
};

const quoted = (value: unknown, quote: string): string =>
  `${quote}${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)}${quote}`;

const typescriptLiteral = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value, "'");
  return Array.isArray(value) ? `[${value.map(typescriptLiteral).join(', ')}]` : String(value);
};
const pythonLiteral = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value, '"');
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  return { true: 'True', false: 'False', null: 'None' }[String(value)] ?? String(value);
};

const typescript: Language = {
  literal: typescriptLiteral,
  named: (values) => {
    const fields = Object.entries(values).map(([name, value]) => `${name}: ${typescriptLiteral(value)}`);
    return fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
  },
};
const python: Language = {
  literal: pythonLiteral,
  named: (values) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${pythonLiteral(value)}`)
      .join(', '),
};

/** The arguments of a call: first those by position. */
const buildArguments = ({ request }: Operation, call: ClientCall, { literal, named }: Language): string[] => {
  const all: Values = { ...request.path, ...request.query, ...request.body };
  const { positional = [], extra = '' } = call;
  const remaining = Object.fromEntries(Object.entries(all).filter(([name]) => !positional.includes(name)));
  return [...positional.map((name) => literal(all[name])), named(remaining), extra].filter(Boolean);
};

const typescriptCall = (operation: Operation, call: ClientCall): string => {
  const args = buildArguments(operation, call, typescript);
  const isOfJob = call.method.startsWith('job.');
  const [id = '', ...rest] = args;
  const first = isOfJob ? `const job = await client.jobs.get(${id});\n` : '';
  const called = isOfJob ? `${call.method}(${rest.join(', ')})` : `client.${call.method}(${args.join(', ')})`;
  return call.row === undefined
    ? `${first}console.log(await ${called});`
    : `${first}for await (const ${call.row} of ${called}) console.log(${call.row});`;
};

const pythonCall = (operation: Operation, call: ClientCall): string => {
  const called = `client.${call.method}(${buildArguments(operation, call, python).join(', ')})`;
  return call.row === undefined ? `print(${called})` : `for ${call.row} in ${called}:\n    print(${call.row})`;
};

/** Requests of operations that the SDK leaves to sessions and browsers. */
const fetchCall = (operation: Operation): string => {
  const { row, request, url } = operation;
  const headers = Object.entries(buildHeaders(operation)).map(([name, value]) => {
    const text = value.replaceAll(/\$(\w+)/g, (_, variable: string) => `\${process.env.${variable}}`);
    return `    '${name}': ${text === value ? `'${value}'` : `\`${text}\``},`;
  });
  const lines = [
    ...(row.method === 'GET' ? [] : [`  method: '${row.method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(request.body ? [`  body: JSON.stringify(${typescript.named(request.body)}),`] : []),
  ];
  const options = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`;
  return `const response = await fetch('${url}'${options});\nconsole.log(response.status, await response.text());`;
};

const urllibCall = (operation: Operation): string => {
  const { row, request, url } = operation;
  const headers = Object.entries(buildHeaders(operation)).map(([name, value]) => {
    const text = value.replaceAll(/\$(\w+)/g, (_, variable: string) => `{os.environ['${variable}']}`);
    return `    "${name}": ${text === value ? '' : 'f'}"${text}",`;
  });
  const lines = [
    `request = urllib.request.Request("${url}", method="${row.method}"${headers.length === 0 ? ')' : ', headers={'}`,
    ...(headers.length === 0 ? [] : [...headers, '})']),
    ...(request.body
      ? [
          `request.data = json.dumps({${Object.entries(request.body)
            .map(([name, value]) => `"${name}": ${pythonLiteral(value)}`)
            .join(', ')}}).encode()`,
        ]
      : []),
    'print(urllib.request.urlopen(request).read().decode())',
  ];
  return `import json, os, urllib.request\n\n${lines.join('\n')}`;
};

const buildAddress = ({ path }: Route, request: SampleRequest, publicUrl: string): string => {
  const pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(request.path?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${publicUrl}${pathname}${query.size === 0 ? '' : `?${query}`}`;
};

/** What TypeScript and Python samples begin with. */
export const clientSetup = (publicUrl: string): readonly Sample[] => [
  { language: 'curl', code: 'export TRANSCRIPTS_API_KEY=svc_live_...' },
  {
    language: 'TypeScript',
    code: `import { Transcripts } from '@transcript-delivery/sdk';\n\nconst client = new Transcripts({ baseUrl: '${publicUrl}' });`,
  },
  {
    language: 'Python',
    code: `from transcript_delivery import Transcripts\n\nclient = Transcripts(base_url="${publicUrl}")`,
  },
];

/** The same request in three languages, from the route and its example. */
export const buildSamples = (id: keyof typeof routes, publicUrl: string): readonly Sample[] => {
  const row: Route = routes[id];
  const request = sampleRequests[id];
  const operation = { row, request, url: buildAddress(row, request, publicUrl) };
  const [inTypescript, inPython] = [typescriptCalls[id], pythonCalls[id]];
  return [
    { language: 'curl', code: curl(operation) },
    {
      language: 'TypeScript',
      code: inTypescript ? typescriptCall(operation, inTypescript) : fetchCall(operation),
    },
    { language: 'Python', code: inPython ? pythonCall(operation, inPython) : urllibCall(operation) },
  ];
};
