import { type WebhookKind, webhookBody, webhookHeaderTexts, webhookKind, webhookKinds } from '@tds/contracts';
import { createSchemas } from '@tds/http-api';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly anyOf?: Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
};

const schemas = createSchemas();
const resolveReference = (schema: Schema): Schema =>
  (schemas.components[schema.$ref?.split('/').at(-1) ?? ''] as Schema | undefined) ?? schema;

const describeType = (schema: Schema): string => {
  const { type, anyOf } = resolveReference(schema);
  return [type ?? anyOf?.map(describeType) ?? 'object'].flat().join(' or ');
};

const fieldRows = (rule: Parameters<typeof schemas.output>[0]): string[] =>
  Object.entries(resolveReference(schemas.output(rule)).properties ?? {}).map(
    ([name, property]) => `| \`${name}\` | ${describeType(property)} | ${property.description ?? ''} |`,
  );

const table = (rows: readonly string[]): string =>
  ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');

const section = (kind: WebhookKind): string => {
  const rows = fieldRows(webhookKinds[kind].data);
  const data = rows.length === 0 ? '`data` is an empty object.' : `In \`data\`:\n\n${table(rows)}`;
  return `## ${kind}\n\n${webhookKinds[kind].when} ${data}\n`;
};

/** The catalogue of events: the fields and headers of every delivery, and the data of each kind. */
export const webhookCatalogueMarkdown = (): string => {
  const body = table(fieldRows(webhookBody('webhook.test')));
  const headers = Object.entries(webhookHeaderTexts).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return `# Webhook events

[How to verify them](../../packages/web/site/content/webhooks.md). Every body is JSON:

${body}

| Header | Meaning |
|---|---|
${headers.join('\n')}

${webhookKind.options.map(section).join('\n')}`;
};
