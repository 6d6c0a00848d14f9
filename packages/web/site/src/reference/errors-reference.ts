import { type ErrorClass, type ErrorCodeDefinition, errorClasses, errorCodes, statusIn } from '@tds/errors';

const listCodes = (errorClass: ErrorClass): [string, ErrorCodeDefinition][] =>
  Object.entries<ErrorCodeDefinition>(errorCodes)
    .filter(([, definition]) => [definition.errorClass, ...definition.alsoIn].includes(errorClass))
    .sort(([one], [other]) => one.localeCompare(other));

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
/** What the errors reference begins with. */
export const ERRORS_INTRODUCTION =
  'Retry only what is marked retryable, and pending 202 answers. For seven days, request_id finds the request in the log of requests: look it up, or give it to support.';
const columns = ['Code', 'HTTP', 'Retryable', 'Message', 'What to do'];

const toCells = (errorClass: ErrorClass, definition: ErrorCodeDefinition): string[] => [
  String(statusIn(errorClass, definition)),
  yesNo(definition.retryable),
  definition.message,
  definition.remedy,
];

const describeClass = (name: ErrorClass): string => {
  const { status, retryable, means } = errorClasses[name];
  return `${means} HTTP ${status} by default, retryable: ${yesNo(retryable)}.`;
};

const classNames = Object.keys(errorClasses) as ErrorClass[];

const markdownSection = (name: ErrorClass): string => {
  const rows = listCodes(name).map(
    ([code, definition]) => `| ${[`\`${code}\``, ...toCells(name, definition)].join(' | ')} |`,
  );
  const table = [`| ${columns.join(' | ')} |`, '|---|---:|---|---|---|', ...rows].join('\n');
  return `## ${name}\n\n${describeClass(name)}\n\n${table}\n`;
};

/** The errors reference in Markdown, one section per class: `docs_url` points at it. */
export const errorsReferenceMarkdown = (): string =>
  `# Errors\n\n${ERRORS_INTRODUCTION}\n\n${classNames.map(markdownSection).join('\n')}`;

export type ErrorSection = {
  readonly name: ErrorClass;
  readonly meaning: string;
  /** `isOwn`: the code belongs to this class; other classes may carry it too. */
  readonly codes: readonly (ErrorCodeDefinition & { readonly code: string; readonly isOwn: boolean })[];
};

/** The errors reference as data, one section per class. */
export const errorSections = (): readonly ErrorSection[] =>
  classNames.map((name) => ({
    name,
    meaning: describeClass(name),
    codes: listCodes(name).map(([code, definition]) => ({
      ...definition,
      status: statusIn(name, definition),
      code,
      isOwn: definition.errorClass === name,
    })),
  }));
