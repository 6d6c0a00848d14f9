import { errorClasses } from '@tds/contracts';

/** The exit codes of the command line by error class, which is published without the contracts. */
export const exitCodesTable = (): string => {
  const rows = Object.entries(errorClasses).map(([name, { exitCode }]) => `  ${name}: ${exitCode},\n`);
  return `// Written by \`npm run generate\` from the error classes of the contracts.
import type { ErrorClass } from '@transcript-delivery/sdk';

export const exitCodes: Readonly<Record<ErrorClass, number>> = {
${rows.join('')}};
`;
};
