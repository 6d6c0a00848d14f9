import { errorClasses, errorCodes } from '@tds/errors';

const SOURCE = '// Written by `npm run generate` from the error classes and codes of the contracts.';

const formatEntries = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`).join('');

/** Exit codes by error class, for the command line, which is published without the contracts. */
export const cliExitCodes = (): string => `${SOURCE}
import type { ErrorClass } from '@transcript-delivery/sdk';

export const exitCodes: Readonly<Record<ErrorClass, number>> = {
${formatEntries(Object.entries(errorClasses).map(([name, { exitCode }]) => [name, exitCode]))}};
`;

/** Remedies by code. They are an entry of the SDK of their own, so that a page that needs none does not load them. */
export const sdkRemedies = (): string => `${SOURCE}

/** The next step after an error of a code. A code of a newer service has none here. */
export const remedies: Readonly<Record<string, string | undefined>> = {
${formatEntries(Object.entries(errorCodes).map(([code, { remedy }]) => [code, remedy]))}};
`;
