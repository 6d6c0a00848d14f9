import { createHash } from 'node:crypto';
import { errorCodeDefinition, type ServiceError, serviceError } from '@tds/contracts';
import { type ErrorEnvelope, parseArguments, type routes } from '@tds/http-api';
import type { Deps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import { asServiceError, errorAnswer, withOutcome, withSupportEmail } from '../http/error-answer.ts';
import { createStateCheck } from '../http/row-rules.ts';
import type { Input } from '../routes/route-handler.ts';
import type { Arguments, Tool } from './tools.ts';

export type McpInput = Input<typeof routes.sendMcpMessage>;

/** What an assistant gets of a call, and what the exchange shows of it. */
export type ToolResult = Pick<Answer, 'cache' | 'creditsCharged' | 'failure'> & {
  readonly structured: Readonly<Record<string, unknown>>;
};

const MINUTE_MS = 60_000;

/** Assistants repeat calls whose answer they lost: the same call of a key in the same minute is one. */
const idempotencyKeyOf = (
  { principal }: Pick<McpInput, 'principal'>,
  { name }: Tool,
  given: Arguments,
  now: Date,
): string => {
  const parts = [principal.keyId, name, given, Math.floor(now.getTime() / MINUTE_MS)];
  return `mcp-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
};

/** Calls the handler of the tool's row in the place of this route's. */
const callHandler = async (deps: Deps, tool: Tool, input: McpInput, given: Arguments): Promise<Answer> => {
  const { handler } = tool;
  const query: Record<string, unknown> = {};
  const read = { params: {}, query, body: null, idempotencyKey: null, ...tool.read(given) };
  const idempotencyKey = handler.row.takesIdempotencyKey
    ? idempotencyKeyOf(input, tool, given, deps.now())
    : null;
  // Admission counted the request and knew nothing of a cached body.
  if (handler.wants?.(deps, read.query) === 'body') await deps.reads.count(input.principal);
  return handler.handle(deps, input.asOtherRow({ ...read, idempotencyKey }) as Input);
};

const failed = (deps: Deps, { handler: { row } }: Tool, input: McpInput, error: ServiceError): ToolResult => {
  const { publicUrl, supportEmail } = deps.config;
  const exchange = { route: row.id, hasBegun: true, isDisowned: input.isDisowned };
  const known = withOutcome(error, { exchange, hasIdempotencyKey: row.takesIdempotencyKey === true });
  const failure = withSupportEmail(known, supportEmail);
  const { body } = errorAnswer(failure, input.requestId, publicUrl);
  const envelope = JSON.parse(String(body)) as ErrorEnvelope;
  return { structured: { ...envelope, remedy: errorCodeDefinition(failure.code).remedy }, failure };
};

/** Runs a tool call as the one request of its row. A failure is a result with the row's envelope and the code's remedy. */
export const runTool = async (
  deps: Deps,
  tool: Tool,
  input: McpInput,
  values: Readonly<Record<string, unknown>>,
): Promise<ToolResult> => {
  try {
    createStateCheck(tool.handler.row)(input.principal, { headers: {} });
    const given = parseArguments(tool.fields, values);
    const { body, cache, creditsCharged = 0 } = await callHandler(deps, tool, input, given);
    if (body === undefined) throw serviceError('unexpected_error');
    const { ok: _, ...shown } = JSON.parse(String(body)) as Record<string, unknown>;
    const structured = { ...tool.present(shown, given), credits_charged: creditsCharged };
    return { structured, creditsCharged, ...(cache && { cache }) };
  } catch (thrown) {
    return failed(deps, tool, input, asServiceError(thrown));
  }
};
