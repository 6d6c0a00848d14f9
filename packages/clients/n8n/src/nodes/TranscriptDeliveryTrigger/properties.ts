import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
  {
    displayName:
      'An account has one webhook, which this workflow sets while it is active. n8n must be reachable by https on port 443 or 8443.',
    name: 'notice',
    type: 'notice',
    default: '',
  },
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    required: true,
    options: [
      { name: 'Credits Low', value: 'credits.low' },
      { name: 'Job Completed', value: 'job.completed' },
      { name: 'Job Failed', value: 'job.failed' },
      { name: 'Job Paused', value: 'job.paused' },
      { name: 'Job Resumed', value: 'job.resumed' },
      { name: 'New Videos', value: 'channel.new_videos', description: 'A monitor has found videos' },
      { name: 'Test', value: 'webhook.test' },
      {
        name: 'Words Found',
        value: 'monitor.words_found',
        description: 'The words of a monitor were said in a new transcript',
      },
    ],
    default: ['job.completed', 'job.failed'],
  },
  {
    displayName: 'Low Balance Threshold',
    name: 'lowBalanceThreshold',
    type: 'number',
    typeOptions: { minValue: 1 },
    displayOptions: { show: { events: ['credits.low'] } },
    default: 100,
    description: 'The event is sent once when fewer credits can be spent',
  },
  {
    displayName: 'Replace the Webhook of the Account',
    name: 'replace',
    type: 'boolean',
    default: false,
    description: 'Whether this workflow takes the place of another receiver, which then gets no events',
  },
];
