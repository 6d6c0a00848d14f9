import {
  type ErrorClass,
  type ErrorCodeDefinition,
  errorClasses,
  errorCodes,
  statusIn,
} from '@tds/contracts';
import escapeHtml from 'escape-html';
import { htmlPage } from './html.ts';

const rowsOf = (errorClass: ErrorClass): [string, ErrorCodeDefinition][] =>
  Object.entries<ErrorCodeDefinition>(errorCodes)
    .filter(([, definition]) => [definition.errorClass, ...definition.alsoIn].includes(errorClass))
    .sort(([one], [other]) => one.localeCompare(other));

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
const INTRODUCTION = 'Retry only what is marked retryable, and pending 202 answers.';
const columns = ['Code', 'HTTP', 'Retryable', 'Message', 'What to do'];

const cellsOf = (errorClass: ErrorClass, definition: ErrorCodeDefinition): string[] => [
  String(statusIn(errorClass, definition)),
  yesNo(definition.retryable),
  definition.message,
  definition.remedy,
];

const meaningOf = (name: ErrorClass): string => {
  const { status, retryable, means } = errorClasses[name];
  return `${means} HTTP ${status} by default, retryable: ${yesNo(retryable)}.`;
};

const classNames = Object.keys(errorClasses) as ErrorClass[];

const markdownSection = (name: ErrorClass): string => {
  const rows = rowsOf(name).map(
    ([code, definition]) => `| ${[`\`${code}\``, ...cellsOf(name, definition)].join(' | ')} |`,
  );
  const table = [`| ${columns.join(' | ')} |`, '|---|---:|---|---|---|', ...rows].join('\n');
  return `## ${name}\n\n${meaningOf(name)}\n\n${table}\n`;
};

/** The errors reference in Markdown, one section per class: `docs_url` points at it. */
export const errorsReferenceMarkdown = (): string =>
  `# Errors\n\n${INTRODUCTION}\n\n${classNames.map(markdownSection).join('\n')}`;

/** The anchor of a code stands in the section of its own class, once. */
const htmlRow = (name: ErrorClass, [code, definition]: [string, ErrorCodeDefinition]): string => {
  const anchor = definition.errorClass === name ? ` id="${code}"` : '';
  const cells = [`<code>${code}</code>`, ...cellsOf(name, definition).map((cell) => escapeHtml(cell))];
  return `<tr${anchor}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
};

const htmlSection = (name: ErrorClass): string => `<section id="${name}"><h2>${name}</h2>
<p>${escapeHtml(meaningOf(name))}</p>
<table><thead><tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>
${rowsOf(name)
  .map((row) => htmlRow(name, row))
  .join('\n')}
</tbody></table></section>`;

/** The errors reference as the page that the gateway serves at /docs/errors. */
export const errorsReferenceHtml = (): string =>
  htmlPage('Errors', `<p>${INTRODUCTION}</p>\n${classNames.map(htmlSection).join('\n')}`);
