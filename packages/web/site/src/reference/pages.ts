import { routeTags } from '@tds/http-api';
import escapeHtml from 'escape-html';
import type { Installation } from '../facts.ts';
import { markdownTable } from '../markdown.ts';
import { createPage, once, type SitePage } from '../page.ts';
import { buildSamples, clientSetup } from '../samples/samples.ts';
import {
  answersOf,
  type Operation,
  pathOf,
  type ReferenceDocument,
  type Resource,
  reachable,
  referenceDocument,
} from './document.ts';
import { bodyForms, objectHtml } from './fields.ts';
import { describeCredential, findExample, methodHtml, operationHtml, samplesHtml } from './operation.ts';

const OVERVIEW = '/reference';

const shortPath = (path: string): string => path.replace('/v1/', '');

/** Every operation, on every page: the script narrows it. */
const navigation = ({ resources }: ReferenceDocument, current: string): string =>
  `<nav aria-label="Reference" data-operations><p class="find" hidden><label class="hidden" for="find">Find an operation</label><input id="find" type="search" placeholder="Find: job, srt, key"></p>
<ul><li><a href="${OVERVIEW}"${current === OVERVIEW ? ' aria-current="page"' : ''}>Overview</a></li></ul>
${resources
  .map(
    ({ name, path, operations }) =>
      `<p class="group"><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a></p><ul>${operations
        .map(
          ({ id, method, path: route, summary }) =>
            `<li><a href="${path === current ? '' : path}#${id}" title="${escapeHtml(summary)}">${methodHtml(method)}<span>${escapeHtml(shortPath(route))}</span></a></li>`,
        )
        .join('')}</ul>`,
  )
  .join('')}</nav>`;

/** Bodies are shown where they are sent; all else that an operation names stands at the end of its page. */
const collectObjects = ({ operations }: Resource, { schemas }: ReferenceDocument): readonly string[] => {
  const inBodies = operations.flatMap(({ body }) =>
    body === null
      ? []
      : bodyForms(body, schemas).flatMap(([, { properties = {} }]) => Object.values(properties)),
  );
  const inParameters = operations.flatMap(({ parameters }) => parameters.map(({ schema }) => schema));
  const isElsewhere = (name: string) => name === 'ErrorCode' || name === 'ErrorClass';
  return reachable([...operations.flatMap(answersOf), ...inBodies, ...inParameters], schemas).filter(
    (name) => !isElsewhere(name),
  );
};

const operationMarkdown = (operation: Operation, document: ReferenceDocument, publicUrl: string): string => {
  const { id, method, path, summary, description, parameters, body, responses, codes } = operation;
  const fields = [
    ...parameters.map(
      ({ name, in: where, required, description: text }) => [name, where, required, text] as const,
    ),
    ...(body === null ? [] : bodyForms(body, document.schemas)).flatMap(
      ([, { properties = {}, required = [] }]) =>
        Object.entries(properties).map(
          ([name, schema]) => [name, 'body', required.includes(name), schema.description ?? ''] as const,
        ),
    ),
  ];
  const rows = fields.map(([name, where, required, text]) => [
    `\`${name}\``,
    where,
    required ? 'yes' : 'no',
    text,
  ]);
  const example = findExample(operation, document, publicUrl);
  return [
    `## ${summary}`,
    `\`${method} ${path}\` (${id})`,
    description,
    describeCredential(operation),
    ...(rows.length === 0 ? [] : [markdownTable(['Name', 'In', 'Required', 'Meaning'], rows)]),
    ...buildSamples(id, publicUrl).map(
      ({ language, code }) => `\`\`\`${language.toLowerCase()}\n${code}\n\`\`\``,
    ),
    responses.map(([status, response]) => `- ${status}: ${response.description}`).join('\n'),
    ...(example === null ? [] : [`\`\`\`json\n${example.text}\n\`\`\``]),
    codes.map(([status, names]) => `- ${status}: ${names.map((name) => `\`${name}\``).join(', ')}`).join('\n'),
  ].join('\n\n');
};

const resourceContent = (tag: string, document: ReferenceDocument, publicUrl: string) => {
  // The document has every tag.
  const resource = document.resources.find(({ name }) => name === tag) as Resource;
  const { name, description, path, operations } = resource;
  const objects = collectObjects(resource, document);
  return {
    kind: 'reference',
    navigation: navigation(document, path),
    markdown: `# ${name}\n\n${description}.\n\n${operations.map((one) => operationMarkdown(one, document, publicUrl)).join('\n\n')}\n`,
    body: `<h1>${name}</h1><p class="lead">${escapeHtml(description)}.</p>
<h2 class="hidden">Operations</h2>
${operations.map((one) => operationHtml(one, document, publicUrl)).join('\n')}
<h2 id="objects">Objects</h2>${objects.map((one) => objectHtml(one, document.schemas[one] ?? {})).join('\n')}`,
  };
};

const overviewContent = (document: ReferenceDocument, publicUrl: string) => {
  const rows = document.resources.flatMap(({ name, path, operations }) =>
    operations.map(({ id, method, path: route, summary }) => [
      `[${summary}](${path}#${id})`,
      `\`${method} ${route}\``,
      name,
    ]),
  );
  const groups = document.resources.map(
    ({ name, description, path, operations }) =>
      `<section class="resource"><h2><a href="${path}">${name}</a></h2><p class="soft">${escapeHtml(description)}</p><ul>${operations
        .map(
          ({ id, method, path: route, summary }) =>
            `<li><a href="${path}#${id}">${methodHtml(method)}<code>${escapeHtml(route)}</code></a><span>${escapeHtml(summary)}</span></li>`,
        )
        .join('')}</ul></section>`,
  );
  return {
    kind: 'reference overview',
    navigation: navigation(document, OVERVIEW),
    markdown: `# API reference\n\n${markdownTable(['Operation', 'Route', 'Resource'], rows)}\n`,
    body: `<div class="operation"><div class="text"><h1>API reference</h1>
<p class="lead">A cached transcript costs 0 credits, a new one 1, a failure 0.</p>
<p>Send your key as <code>Authorization: Bearer svc_live_...</code>. Answers are JSON with <code>ok</code>; errors have a
<a href="/docs/errors">code and a remedy</a>. Answers may gain fields; parameters that are not documented are rejected.</p>
<p><a href="/v1/openapi.json">OpenAPI document</a> · <a href="/docs/retries">Errors and retries</a> · <a href="/docs/credits">Credits and limits</a></p></div>
<div class="beside">${samplesHtml(clientSetup(publicUrl), 'Set up', 'setup')}</div></div>
${groups.join('\n')}`,
  };
};

/** The API reference: an overview, and a page for each resource. */
export const referencePages = (installation: Installation): readonly SitePage[] => {
  const readDocument = once(() => referenceDocument(installation));
  const { publicUrl } = installation;
  const description = 'Each operation of the API, with its fields, answers, codes and samples.';
  return [
    createPage({ path: OVERVIEW, title: 'API reference', description }, () =>
      overviewContent(readDocument(), publicUrl),
    ),
    ...Object.entries(routeTags).map(([tag, text]) =>
      createPage({ path: pathOf(tag), title: tag, description: `${text}.` }, () =>
        resourceContent(tag, readDocument(), publicUrl),
      ),
    ),
  ];
};
