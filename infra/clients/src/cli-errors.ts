import { errorClasses, errorCodes } from '@tds/contracts';

const rowsOf = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`)
    .join('');

/** Exit codes by error class and remedies by code, for the command line, which is published without the contracts. */
export const cliErrorTables = (): string => {
  const exitCodes = Object.entries(errorClasses).map(([name, { exitCode }]) => [name, exitCode]);
  const remedies = Object.entries(errorCodes).map(([code, { remedy }]) => [code, remedy]);
  return `// Written by \`npm run generate\` from the error classes and codes of the contracts.
import type { ErrorClass } from '@transcript-delivery/sdk';

export const exitCodes: Readonly<Record<ErrorClass, number>> = {
${rowsOf(Object.fromEntries(exitCodes))}};

/** What to do next. A code of a newer service has none here. */
export const remedies: Readonly<Record<string, string | undefined>> = {
${rowsOf(Object.fromEntries(remedies))}};
`;
};
