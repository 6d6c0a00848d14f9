import { createHash } from 'node:crypto';
import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { CREDENTIALS, createClient, errorItem, nodeError } from '../../client.ts';
import { operations } from './operations.ts';
import { properties } from './properties.ts';

const idempotencyKey = (host: IExecuteFunctions, body: object): string => {
  const operation = JSON.stringify([host.getExecutionId(), host.getNode().id, body]);
  return `n8n-${createHash('sha256').update(operation).digest('hex')}`;
};

async function* runOperation(host: IExecuteFunctions, item: number): AsyncGenerator<object> {
  const read = (parameter: string) => host.getNodeParameter(parameter, item, '');
  const run = operations[`${read('resource')}.${read('operation')}`];
  if (!run) throw new NodeOperationError(host.getNode(), 'This node has no such operation');
  const rows = await run({
    client: await createClient(host),
    read,
    signal: host.getExecutionCancelSignal(),
    idempotencyKey: (body) => idempotencyKey(host, body),
    warn: (message) => host.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' }),
  });
  yield* rows;
}

export class TranscriptDelivery implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Transcript Delivery',
    name: 'transcriptDelivery',
    icon: {
      light: 'file:../../icons/transcript-delivery.svg',
      dark: 'file:../../icons/transcript-delivery.dark.svg',
    },
    group: ['input'],
    version: [1, 2],
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Get transcripts of videos, channels and playlists',
    defaults: { name: 'Transcript Delivery' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: CREDENTIALS, required: true }],
    properties,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items: INodeExecutionData[] = [];
    for (const [item] of this.getInputData().entries()) {
      const pairedItem = { item };
      try {
        for await (const row of runOperation(this, item)) items.push({ json: row as IDataObject, pairedItem });
      } catch (error) {
        if (!this.continueOnFail()) throw nodeError(this.getNode(), error, item);
        items.push(errorItem(this.getNode(), error, item));
      }
    }
    return [items];
  }
}
