import { execFileSync } from 'node:child_process';
import type { Name } from './names.ts';
import { inWorkspace, type Workspace } from './workspace.ts';

/** As much of JSON Schema as contracts use. */
type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
};

export type Message = {
  readonly kind: string;
  readonly request: Schema;
  readonly reply: Schema;
  readonly payload: Schema;
};

// A process of its own: what this one has imported of the contracts may have changed since.
const DESCRIBE = `
  const [file, owner, name] = process.argv.slice(1);
  const { [owner]: contract } = await import(file);
  const { z } = await import(new URL('../node_modules/zod/index.js', file));
  const { kind, ...parts } = contract[name] ?? {};
  const schemas = ['request', 'reply', 'payload'].map((part) => [part, parts[part] ? z.toJSONSchema(parts[part], { unrepresentable: 'any' }) : {}]);
  console.log(JSON.stringify({ kind, ...Object.fromEntries(schemas) }));
`;

/** A command or an event as its contract has it. Throws where the contract has none of that name. */
export const messageOf = (workspace: Workspace, owner: Name, name: Name, kind: string): Message => {
  const contracts = new URL(`file://${inWorkspace(workspace, 'packages/contracts/src/index.ts')}`).href;
  const args = ['--input-type=module', '--eval', DESCRIBE, contracts, owner.camel, name.camel];
  const found = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Message;
  if (found.kind !== kind) throw new Error(`${owner.kebab} has no ${kind} ${name.camel}`);
  return found;
};

const strings: Readonly<Record<string, string>> = {
  uuid: 'randomUUID()',
  'date-time': `'2026-01-15T12:00:00.000Z'`,
  date: `'2026-01-15'`,
};

const sampleOfObject = ({ properties = {}, required = [] }: Schema): string =>
  `{ ${required.map((name) => `${name}: ${sampleOf(properties[name] ?? {})}`).join(', ')} }`;

/** The source of a value that has the shape. */
export const sampleOf = (schema: Schema): string => {
  const [value] = 'const' in schema ? [schema.const] : (schema.enum ?? []);
  if (value !== undefined) return JSON.stringify(value);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sampleOf(first);
  switch (schema.type) {
    case 'object':
      return sampleOfObject(schema);
    case 'array':
      return '[]';
    case 'boolean':
      return 'true';
    case 'integer':
    case 'number':
      return String(Math.max(1, schema.minimum ?? 1));
    case 'string':
      return strings[schema.format ?? ''] ?? `''`;
    default:
      return 'null';
  }
};
