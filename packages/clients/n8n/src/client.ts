import { ApiError, Transcripts, TranscriptsError } from '@transcript-delivery/sdk';
import { remedies } from '@transcript-delivery/sdk/remedies';
import {
  type IDataObject,
  type INode,
  type INodeExecutionData,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';

export const CREDENTIALS = 'transcriptDeliveryApi';

type Host = { getCredentials(name: string): Promise<IDataObject> };

export const createClient = async (host: Host): Promise<Transcripts> => {
  const { apiKey, baseUrl } = await host.getCredentials(CREDENTIALS);
  return new Transcripts({ apiKey: String(apiKey), baseUrl: String(baseUrl) });
};

/** The error as n8n shows it: the message of the service, what to do next, and the id that support asks for. */
export const nodeError = (
  node: INode,
  error: unknown,
  itemIndex?: number,
): NodeApiError | NodeOperationError => {
  const place = itemIndex === undefined ? {} : { itemIndex };
  if (!(error instanceof ApiError))
    return new NodeOperationError(node, error instanceof Error ? error : String(error), place);
  const { message, code, status, requestId } = error;
  const description = [remedies[code], `Code ${code}, request ${requestId}.`].filter(Boolean).join(' ');
  return new NodeApiError(node, error.body, { message, description, httpCode: String(status), ...place });
};

/**
 * The item of a node that goes on after an error. n8n sends one that has an `error` of its own to the error output, but writes over the
 * `json` of one that stays in the only output.
 */
export const errorItem = (node: INode, error: unknown, item: number): INodeExecutionData => ({
  json: {
    error: error instanceof Error ? error.message : String(error),
    ...(error instanceof ApiError && { code: error.code }),
    ...(error instanceof TranscriptsError && { retryable: error.retryable }),
  },
  pairedItem: { item },
  ...(node.onError === 'continueErrorOutput' && { error: nodeError(node, error, item) }),
});
