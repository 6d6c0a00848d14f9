import { serviceError } from '@tds/contracts';
import { routes } from '@tds/http-api';
import type { Deps } from '../deps.ts';
import { JSON_TYPE } from '../http/answer.ts';
import { compressible } from '../http/compression.ts';
import { answersOf } from '../routes/route-answer.ts';
import { onRoute } from '../routes/route-handler.ts';
import { answerMessage } from './mcp-server.ts';
import { type McpInput, runTool, type ToolResult } from './run-tool.ts';

const answered = answersOf(routes.sendMcpMessage, 200);
const noted = answersOf(routes.sendMcpMessage, 202);

/** Browsers name the site of a page. Programs name none. */
const refuseOtherSites = ({ headers: { origin } }: McpInput, publicUrl: string): void => {
  if (origin !== undefined && origin !== new URL(publicUrl).origin) throw serviceError('origin_not_accepted');
};

/** One message of the Model Context Protocol: a tool call counts and costs as the request of its own route. */
export const sendMcpMessage = onRoute(routes.sendMcpMessage, async (deps: Deps, input) => {
  refuseOtherSites(input, deps.config.publicUrl);
  let shown: Omit<ToolResult, 'structured'> = {};
  const text = await answerMessage(input, async (tool, values) => {
    const result = await runTool(deps, tool, input, values);
    const { structured: _, ...rest } = result;
    shown = rest;
    return result;
  });
  if (text === null) return noted.empty();
  const { failure, cache, creditsCharged } = shown;
  const answer = answered.composed(JSON_TYPE, text, { cache, creditsCharged });
  return compressible(failure === undefined ? answer : { ...answer, failure });
});
