import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

type Called = { readonly status: number; readonly answer: object };

const OK = 200;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** Calls a simulator's function as its own process does: the body of the request is the JSON list of the arguments. */
export const callAction = async (
  actions: Readonly<Record<string, unknown>>,
  name: string,
  request: IncomingMessage,
): Promise<Called> => {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (typeof action !== 'function' || request.method !== 'POST')
    return { status: NOT_FOUND, answer: { error: `no such action: ${name}` } };
  const list = (await text(request)) || '[]';
  try {
    return { status: OK, answer: { result: (await action(...JSON.parse(list))) ?? null } };
  } catch (error) {
    return { status: BAD_REQUEST, answer: { error: error instanceof Error ? error.message : String(error) } };
  }
};
