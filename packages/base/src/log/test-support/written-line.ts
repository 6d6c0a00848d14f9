import { createLog } from '../log.ts';

/** The text that one call writes. */
export const writeLog = (message: string, fields: Record<string, unknown>): string => {
  const lines: string[] = [];
  createLog({ service: 'test', destination: { write: (line) => void lines.push(line) } }).info(message, fields);
  return lines.join('');
};
