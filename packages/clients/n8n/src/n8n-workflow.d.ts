/**
 * What these nodes use of n8n. The package of that name brings 130 others and 143 MB, and n8n has a licence of its own, so its types
 * are written down here. n8n gives the values at run time.
 */
declare module 'n8n-workflow' {
  export type IDataObject = { [name: string]: unknown };
  export type Icon = `file:${string}` | { light: `file:${string}`; dark: `file:${string}` };
  type Shown = { show?: { [parameter: string]: unknown[] } };

  export type INodePropertyOptions = {
    name: string;
    value: string;
    action?: string;
    description?: string;
  };
  export type INodeProperties = {
    displayName: string;
    name: string;
    type: 'boolean' | 'collection' | 'multiOptions' | 'notice' | 'number' | 'options' | 'string';
    default: unknown;
    description?: string;
    placeholder?: string;
    hint?: string;
    required?: boolean;
    noDataExpression?: boolean;
    displayOptions?: Shown;
    options?: (INodePropertyOptions | INodeProperties)[];
    typeOptions?: { password?: boolean; minValue?: number; maxValue?: number; rows?: number };
  };
  export type INodeTypeDescription = {
    displayName: string;
    name: string;
    icon: Icon;
    group: ('input' | 'transform' | 'trigger')[];
    version: number | number[];
    subtitle: string;
    description: string;
    defaults: { name: string };
    inputs: 'main'[];
    outputs: 'main'[];
    usableAsTool?: true;
    credentials: { name: string; required: boolean }[];
    webhooks?: { name: 'default'; httpMethod: 'POST'; responseMode: 'onReceived'; path: string }[];
    properties: INodeProperties[];
  };
  export type INodeExecutionData = {
    json: IDataObject;
    pairedItem?: { item: number };
    error?: NodeApiError | NodeOperationError;
  };
  export type INode = {
    id: string;
    name: string;
    onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  };

  type NodeExecutionHint = { message: string; type: 'warning'; location: 'outputPane' };
  type Functions = {
    getNode(): INode;
    getCredentials(name: string): Promise<IDataObject>;
    getWorkflowStaticData(type: 'node'): IDataObject;
    getMode(): string;
    logger: { warn(message: string, meta?: object): void };
  };
  export type IExecuteFunctions = Functions & {
    getInputData(): INodeExecutionData[];
    getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown;
    getExecutionId(): string;
    getExecutionCancelSignal(): AbortSignal | undefined;
    continueOnFail(): boolean;
    /** Not in older versions of n8n. */
    addExecutionHints?(...hints: NodeExecutionHint[]): void;
  };
  export type IHookFunctions = Functions & {
    getNodeParameter(name: string, fallback?: unknown): unknown;
    getNodeWebhookUrl(name: 'default'): string | undefined;
  };
  export type IWebhookFunctions = Functions & {
    getNodeParameter(name: string, fallback?: unknown): unknown;
    getHeaderData(): { [name: string]: string | string[] | undefined };
    getRequestObject(): { rawBody: Uint8Array; readRawBody(): Promise<void> };
    getResponseObject(): { status(code: number): { send(body: string): { end(): void } } };
  };
  export type IWebhookResponseData = { workflowData?: INodeExecutionData[][]; noWebhookResponse?: boolean };

  export interface INodeType {
    description: INodeTypeDescription;
    execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>;
    webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>;
    webhookMethods?: {
      default: Record<'checkExists' | 'create' | 'delete', (this: IHookFunctions) => Promise<boolean>>;
    };
  }

  export type IAuthenticateGeneric = { type: 'generic'; properties: { headers: Record<string, string> } };
  export type ICredentialTestRequest = { request: { baseURL: string; url: string } };
  export interface ICredentialType {
    name: string;
    displayName: string;
    documentationUrl?: string;
    icon?: Icon;
    properties: INodeProperties[];
    authenticate?: IAuthenticateGeneric;
    test?: ICredentialTestRequest;
  }

  export const NodeConnectionTypes: { readonly Main: 'main' };

  type ErrorOptions = { message?: string; description?: string; itemIndex?: number };
  export class NodeApiError extends Error {
    constructor(node: INode, response: object, options?: ErrorOptions & { httpCode?: string });
  }
  export class NodeOperationError extends Error {
    constructor(node: INode, error: Error | string, options?: ErrorOptions);
  }
}
