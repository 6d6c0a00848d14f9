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

/** The errors reference in Markdown, one section per class: what `docs_url` points at. */
export const errorsReferenceMarkdown = (): string => {
  const sections = Object.entries(errorClasses).map(([name, { status, retryable, means }]) => {
    const rows = rowsOf(name as ErrorClass).map(
      ([code, definition]) =>
        `| \`${code}\` | ${statusIn(name as ErrorClass, definition)} | ${yesNo(definition.retryable)} | ${definition.message} |`,
    );
    const table = ['| Code | HTTP | Retryable | Message |', '|---|---:|---|---|', ...rows].join('\n');
    return `## ${name}\n\n${means} HTTP ${status} by default, retryable: ${yesNo(retryable)}.\n\n${table}\n`;
  });
  return `# Errors\n\nRetry only what is marked retryable, and pending 202 answers.\n\n${sections.join('\n')}`;
};

const htmlSection = ([name, { status, retryable, means }]: [
  string,
  (typeof errorClasses)[ErrorClass],
]): string => {
  const rows = rowsOf(name as ErrorClass)
    .map(([code, definition]) => {
      const codeStatus = String(statusIn(name as ErrorClass, definition));
      const { retryable: again, message } = definition;
      const cells = [`<code>${code}</code>`, codeStatus, yesNo(again), escapeHtml(message)];
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    })
    .join('\n');
  return `<section id="${name}"><h2>${name}</h2>
<p>${escapeHtml(means)} HTTP ${status} by default, retryable: ${yesNo(retryable)}.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Retryable</th><th>Message</th></tr></thead><tbody>
${rows}
</tbody></table></section>`;
};

/** The errors reference as the page that the gateway serves at /docs/errors. */
export const errorsReferenceHtml = (): string =>
  htmlPage(
    'Errors',
    `<p>Retry only what is marked retryable, and pending 202 answers.</p>
${Object.entries(errorClasses).map(htmlSection).join('\n')}`,
  );
