/** A complete answer, before it is sent well or badly. */
export type Answer = {
  status: number;
  contentType: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
};

export const JSON_TYPE = 'application/json; charset=UTF-8';
const HTML_TYPE = 'text/html; charset=utf-8';

export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(value),
});

export const htmlAnswer = (body: string, status = 200): Answer => ({ status, contentType: HTML_TYPE, body });

const statusNames: Record<number, string> = { 400: 'INVALID_ARGUMENT', 404: 'NOT_FOUND', 500: 'INTERNAL' };

/** An error as the platform's JSON endpoints put it. */
export const errorAnswer = (code: number, message: string): Answer =>
  jsonAnswer({ error: { code, message, status: statusNames[code] ?? 'UNKNOWN' } }, code);
