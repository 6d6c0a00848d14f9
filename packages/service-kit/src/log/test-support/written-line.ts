import { createLog } from '../log.ts';

/** What one call writes, as text. */
export const written = (message: string, fields: Record<string, unknown>): string => {
  const lines: string[] = [];
  createLog({ service: 'test', destination: { write: (line) => void lines.push(line) } }).info(
    message,
    fields,
  );
  return lines.join('');
};
