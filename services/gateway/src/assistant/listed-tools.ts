import { argumentsSchema, resultSchema } from '@tds/http-api';
import { z } from 'zod';
import { failedResult } from './tool-results.ts';
import { type Tool, tools } from './tools.ts';

/** It neither spends credits nor starts anything. */
const isReading = ({ name, handler: { row } }: Tool): boolean =>
  !SPENDING.has(name) && (row.method === 'GET' || row.changesNothing === true);
const SPENDING: ReadonlySet<string> = new Set(['get_transcript', 'search', 'start_job']);

/** The tools as a client lists them. The texts are ours alone. */
export const listedTools = tools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: argumentsSchema(tool.fields) as { type: 'object' },
  // Some clients compare failures with it too.
  outputSchema: resultSchema(z.union([tool.result, failedResult])) as { type: 'object' },
  annotations: {
    readOnlyHint: isReading(tool),
    // It may spend hundreds of credits, which do not come back.
    destructiveHint: tool.name === 'start_job',
    idempotentHint: isReading(tool),
    openWorldHint: tool.name !== 'get_account',
  },
}));
