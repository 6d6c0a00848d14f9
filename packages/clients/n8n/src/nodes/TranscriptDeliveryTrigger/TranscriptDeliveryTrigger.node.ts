import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { CREDENTIALS, createClient, nodeError } from '../../client.ts';
import { connect, disconnect, isConnected, type KeptSecrets, readEvent } from './account-webhook.ts';
import { properties } from './properties.ts';

const UNAUTHORIZED = 401;

const urlOf = (host: IHookFunctions): string => {
  const url = host.getNodeWebhookUrl('default');
  if (!url) throw new NodeOperationError(host.getNode(), 'n8n knows no address of this webhook');
  return url;
};

const readSecrets = (host: IHookFunctions | IWebhookFunctions): KeptSecrets =>
  host.getWorkflowStaticData('node');

/** A test must not take events away from what is in production, and would delete the webhook at its end. */
const mayReplace = (host: IHookFunctions): boolean =>
  host.getMode() !== 'manual' && host.getNodeParameter('replace', false) === true;

const thresholdOf = (host: IHookFunctions): number | null => {
  const events = host.getNodeParameter('events', []) as string[];
  return events.includes('credits.low') ? Number(host.getNodeParameter('lowBalanceThreshold', 100)) : null;
};

export class TranscriptDeliveryTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Transcript Delivery Trigger',
    name: 'transcriptDeliveryTrigger',
    icon: {
      light: 'file:../../icons/transcript-delivery.svg',
      dark: 'file:../../icons/transcript-delivery.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts a workflow when a job ends, a monitor finds videos or words, or credits run low',
    defaults: { name: 'Transcript Delivery Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIALS, required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties,
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        try {
          return await isConnected(await createClient(this), urlOf(this), readSecrets(this));
        } catch (error) {
          throw nodeError(this.getNode(), error);
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const connection = {
          url: urlOf(this),
          lowBalanceThreshold: thresholdOf(this),
          replace: mayReplace(this),
        };
        try {
          await connect(await createClient(this), connection, readSecrets(this));
          return true;
        } catch (error) {
          throw nodeError(this.getNode(), error);
        }
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        try {
          await disconnect(await createClient(this), urlOf(this), readSecrets(this));
          return true;
        } catch (error) {
          // Some versions of n8n keep a workflow active if this throws.
          this.logger.warn('The webhook of the account could not be deleted', { reason: String(error) });
          return false;
        }
      },
    },
  };

  /** Answers 401 to what is not signed, so the service tries again and a forger learns nothing. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    await request.readRawBody();
    try {
      const event = await readEvent(
        { body: request.rawBody, headers: this.getHeaderData() },
        readSecrets(this),
      );
      const events = this.getNodeParameter('events', []) as string[];
      // Without data n8n answers 200 and starts nothing.
      return events.includes(event.type) ? { workflowData: [[{ json: event }]] } : {};
    } catch (error) {
      this.logger.warn('A webhook request was refused', { reason: String(error) });
      this.getResponseObject().status(UNAUTHORIZED).send('The request is not signed by the service').end();
      return { noWebhookResponse: true };
    }
  }
}
