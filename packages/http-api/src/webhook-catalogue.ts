import { type WebhookKind, webhookBody, webhookHeaderTexts, webhookKind, webhookKinds } from '@tds/contracts';
import { createSchemas, type Json } from './openapi/schemas.ts';

type Property = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly anyOf?: Json[];
};

const typeOf = ({ type, anyOf }: Property): string =>
  [type ?? anyOf?.map((one) => one.type ?? 'object') ?? 'object'].flat().join(' or ');

const fieldRows = (schema: Json): string[] =>
  Object.entries((schema.properties ?? {}) as Record<string, Property>).map(
    ([name, property]) => `| \`${name}\` | ${typeOf(property)} | ${property.description ?? ''} |`,
  );

const table = (rows: readonly string[]): string =>
  ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');

const section = (kind: WebhookKind): string => {
  const rows = fieldRows(createSchemas().output(webhookKinds[kind].data));
  const data = rows.length === 0 ? '`data` is an empty object.' : `In \`data\`:\n\n${table(rows)}`;
  return `## ${kind}\n\n${webhookKinds[kind].when} ${data}\n`;
};

/** The catalogue of events: what every body and its headers have, and what each kind tells. */
export const webhookCatalogueMarkdown = (): string => {
  const body = table(fieldRows(createSchemas().output(webhookBody('webhook.test'))));
  const headers = Object.entries(webhookHeaderTexts).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return `# Webhook events

[How to verify them](../how-to/verify-webhooks.md). Every body is JSON:

${body}

| Header | Meaning |
|---|---|
${headers.join('\n')}

${webhookKind.options.map(section).join('\n')}`;
};
