import escapeHtml from 'escape-html';
import { type Schema, schemaName } from './document.ts';

type Schemas = Readonly<Record<string, Schema>>;

const UNBOUNDED = 1_000_000_000;

/** Text with paths and codes set as code. */
export const textHtml = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\b((?:GET|POST|PUT|DELETE) \/v1\/[\w/{}?=.-]*\w)/g, '<code>$1</code>');

const value = (one: unknown): string => `<code>${escapeHtml(JSON.stringify(one))}</code>`;

/** The type of a value, with links to named objects. */
export const typeHtml = (schema: Schema): string => {
  const name = schemaName(schema);
  if (name === 'ErrorCode' || name === 'ErrorClass') return `<a href="/docs/errors">${name}</a>`;
  if (name !== undefined) return `<a href="#${name}">${name}</a>`;
  const either = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (either) return [...new Set(either.map(typeHtml))].join(' or ');
  if (schema.enum) return schema.enum.map(value).join(' ');
  if (schema.const !== undefined) return value(schema.const);
  if (schema.type === 'array') return `list of ${typeHtml(schema.items ?? {})}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return escapeHtml(schema.format === undefined ? type : `${type}, ${schema.format}`);
};

const describeBounds = (schema: Schema): string =>
  [
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    schema.minimum === undefined || schema.minimum < -UNBOUNDED ? '' : `from ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum > UNBOUNDED ? '' : `to ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
  ]
    .filter(Boolean)
    .join(', ');

type FieldParts = {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  readonly where?: string | undefined;
};

/** One parameter or field, with those inside of it. */
export const fieldHtml = ({ name, schema, isRequired, description, where }: FieldParts): string => {
  const bounds = describeBounds(schema);
  const inner = schema.type === 'array' ? (schema.items ?? {}) : schema;
  return `<li><div class="field-line"><code class="name">${escapeHtml(name)}</code><span class="soft">${typeHtml(schema)}</span>${
    where === undefined ? '' : `<span class="soft">${where}</span>`
  }${isRequired ? '<span class="must">required</span>' : ''}</div>${description ? `<p>${textHtml(description)}</p>` : ''}${
    bounds === '' ? '' : `<p class="soft">${escapeHtml(bounds)}</p>`
  }${inner.properties ? fieldsHtml(inner) : ''}</li>`;
};

/** The fields of an object. */
export const fieldsHtml = ({ properties = {}, required = [] }: Schema, isAnswer = false): string =>
  `<ul class="fields">${Object.entries(properties)
    .map(([name, schema]) =>
      fieldHtml({
        name,
        schema,
        isRequired: !isAnswer && required.includes(name),
        description: schema.description,
      }),
    )
    .join('')}</ul>`;

/** The forms of a body: one, or one of several objects. */
export const bodyForms = (body: Schema, schemas: Schemas): readonly (readonly [string, Schema])[] => {
  const name = schemaName(body) ?? '';
  const schema = schemas[name] ?? body;
  return schema.oneOf ? schema.oneOf.flatMap((one) => bodyForms(one, schemas)) : [[name, schema]];
};

/** An object, a union or a list of values at the end of a page. */
export const objectHtml = (name: string, schema: Schema): string => {
  const { description, properties } = schema;
  const text = description === undefined ? '' : `<p>${textHtml(description)}</p>`;
  const shape = properties ? fieldsHtml(schema, true) : `<p class="soft">${typeHtml(schema)}</p>`;
  return `<section class="object" id="${name}"><h3>${name}</h3>${text}${shape}</section>`;
};
