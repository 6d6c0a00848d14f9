import { EXAMPLE_ORIGIN } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { buildSamples, type Sample } from '../samples/samples.ts';
import { type Operation, type ReferenceDocument, type Response, schemaName } from './document.ts';
import { bodyForms, fieldHtml, fieldsHtml, textHtml, typeHtml } from './fields.ts';

const MAX_LINES = 40;

export const methodHtml = (method: Operation['method']): string =>
  `<b class="method ${method}">${method === 'DELETE' ? 'DEL' : method}</b>`;

/** Which credential an operation takes, in words. */
export const describeCredential = ({ security }: Operation): string => {
  const has = (name: string) => security.some((one) => name in one);
  if (security.length === 0) return 'No credential.';
  if (security.some((one) => Object.keys(one).length === 0)) return 'An API key, a session, or no credential.';
  if (has('apiKey')) return has('session') ? 'An API key or a dashboard session.' : 'An API key.';
  return 'A dashboard session.';
};

/** Samples as a group of which one is open: it works without a script. */
export const samplesHtml = (samples: readonly Sample[], label: string, group: string): string =>
  `<div class="samples">${samples
    .map(
      ({ language, code }, index) =>
        `<details name="${group}" data-language="${language}"${index === 0 ? ' open' : ''}><summary>${language}</summary><pre tabindex="0" role="group" aria-label="${language}: ${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre></details>`,
    )
    .join('')}</div>`;

const shorten = (text: string): string => {
  const lines = text.split('\n');
  return lines.length <= MAX_LINES ? text : `${lines.slice(0, MAX_LINES).join('\n')}\n  ...`;
};

const exampleName = ({ content }: Response): string | undefined =>
  Object.keys(content?.['application/json']?.examples ?? {})[0];

/** The first recorded answer of an operation; of several statuses with the same answer, that of the work done. */
export const findExample = (
  { responses }: Operation,
  { examples }: ReferenceDocument,
  publicUrl: string,
): { readonly status: string; readonly text: string } | null => {
  const name = responses.map(([, response]) => exampleName(response)).find((one) => one !== undefined);
  const [status] = responses.findLast(([, response]) => exampleName(response) === name) ?? [];
  if (name === undefined || status === undefined) return null;
  const text = JSON.stringify(examples[name]?.value, null, 2).replaceAll(EXAMPLE_ORIGIN, publicUrl);
  return { status, text: shorten(text) };
};

const SENTENCES = 3;

/** Long descriptions as paragraphs of a few sentences. */
const paragraphs = (description: string): string => {
  const sentences = description.split(/(?<=\.) (?=[A-Z])/);
  const groups = Array.from({ length: Math.ceil(sentences.length / SENTENCES) }, (_, index) =>
    sentences.slice(index * SENTENCES, (index + 1) * SENTENCES).join(' '),
  );
  return groups.map((group) => `<p>${textHtml(group)}</p>`).join('');
};

const parametersHtml = ({ parameters }: Operation): string =>
  parameters.length === 0
    ? ''
    : `<h4>Parameters</h4><ul class="fields">${parameters
        .map(({ name, in: where, description, required, schema }) =>
          fieldHtml({
            name,
            schema,
            isRequired: required,
            description,
            where: where === 'query' ? undefined : where,
          }),
        )
        .join('')}</ul>`;

const bodyHtml = ({ body }: Operation, { schemas }: ReferenceDocument): string => {
  if (body === null) return '';
  const forms = bodyForms(body, schemas);
  return forms
    .map(([name, schema]) => `<h4>${forms.length === 1 ? 'Body' : `Body: ${name}`}</h4>${fieldsHtml(schema)}`)
    .join('');
};

const answersHtml = ({ responses }: Operation, { schemas }: ReferenceDocument): string =>
  `<h4>Answers</h4><ul class="fields">${responses
    .map(([status, { description, content = {} }]) => {
      const types = Object.entries(content).map(([type, { schema }]) =>
        type === 'application/json' && schemaName(schema) !== undefined && schemas[schemaName(schema) ?? '']
          ? typeHtml(schema)
          : escapeHtml(type),
      );
      return `<li><div class="field-line"><code class="name">${status}</code><span class="soft">${types.join(', ')}</span></div><p>${textHtml(description)}</p></li>`;
    })
    .join('')}</ul>`;

const codesHtml = ({ codes }: Operation): string =>
  `<details class="errors"><summary>Errors</summary><ul class="fields">${codes
    .map(
      ([status, names]) =>
        `<li><div class="field-line"><code class="name">${status}</code></div><p>${names
          .map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`)
          .join(' ')}</p></li>`,
    )
    .join('')}</ul></details>`;

/** An operation: text in the middle, samples on the right. */
export const operationHtml = (operation: Operation, document: ReferenceDocument, publicUrl: string): string => {
  const { id, method, path, summary, description } = operation;
  const example = findExample(operation, document, publicUrl);
  const text = description === `${summary}.` ? '' : paragraphs(description);
  return `<section class="operation" id="${id}"><div class="text"><h3>${escapeHtml(summary)}</h3>
<p class="route">${methodHtml(method)} <code>${escapeHtml(path)}</code></p>${text}<p class="soft">${describeCredential(operation)}</p>
${parametersHtml(operation)}${bodyHtml(operation, document)}${answersHtml(operation, document)}${codesHtml(operation)}</div>
<div class="beside">${samplesHtml(buildSamples(id, publicUrl), summary, id)}${
    example === null
      ? ''
      : `<figure class="code"><figcaption>${example.status}</figcaption><pre tabindex="0" role="group" aria-label="Answer: ${escapeHtml(summary)}"><code>${escapeHtml(example.text)}</code></pre></figure>`
  }</div></section>`;
};
