import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

export class TranscriptDeliveryApi implements ICredentialType {
  name = 'transcriptDeliveryApi';
  displayName = 'Transcript Delivery API';
  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-transcript-delivery';
  icon: Icon = {
    light: 'file:../icons/transcript-delivery.svg',
    dark: 'file:../icons/transcript-delivery.dark.svg',
  };
  properties: INodeProperties[] = [
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'A key of your account. Give n8n one of its own, with a daily cap.',
    },
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://transcripts.example.com',
      description: 'The address of the service, without /v1',
    },
  ];
  /** For requests of n8n's own node; these nodes use the SDK. */
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };
  test: ICredentialTestRequest = {
    request: {
      baseURL: String.raw`={{$credentials.baseUrl.trim().replace(/\/+(v1\/*)?$/, '')}}`,
      url: '/v1/account',
    },
  };
}
