import type { INodeProperties } from 'n8n-workflow';
import {
  buildLimitFields,
  buildOperationField,
  buildOptionsField,
  fallback,
  languageFields,
  monitorMail,
  shownFor,
} from './fields.ts';

const operations = buildOperationField('monitor', [
  {
    name: 'Create',
    value: 'create',
    action: 'Create a monitor',
    description: 'Watches a channel or playlist, for 0 credits. Auto fetch costs 1 for each new transcript.',
  },
  {
    name: 'Get Many',
    value: 'getMany',
    action: 'Get many monitors',
    description: 'Costs 0 credits',
  },
  {
    name: 'Get Matches',
    value: 'getMatches',
    action: 'Get the matches of a monitor',
    description: 'Where its words were said in new transcripts, newest first. Costs 0 credits.',
  },
  {
    name: 'Update',
    value: 'update',
    action: 'Update a monitor',
    description: 'What is not added stays as it is. Costs 0 credits.',
  },
]);

const monitorId: INodeProperties = {
  displayName: 'Monitor ID',
  name: 'monitorId',
  type: 'string',
  required: true,
  default: '',
};
const watched: INodeProperties[] = [
  {
    displayName: 'Watch',
    name: 'watch',
    type: 'options',
    options: [
      { name: 'Channel', value: 'channel' },
      { name: 'Playlist', value: 'playlist' },
    ],
    default: 'channel',
  },
  {
    displayName: 'Address',
    name: 'address',
    type: 'string',
    required: true,
    default: '',
    placeholder: '@handle',
    description: 'A URL, a handle or an ID',
  },
];
const autoFetch: INodeProperties = {
  displayName: 'Auto Fetch',
  name: 'autoFetch',
  type: 'boolean',
  default: false,
  description: 'Whether the transcripts of new videos are fetched, for 1 credit each that is not cached',
};
const words: INodeProperties = {
  displayName: 'Words',
  name: 'words',
  type: 'string',
  typeOptions: { rows: 4 },
  default: '',
  description:
    'Up to 20 queries, one a line or an array by an expression: words, "phrases" and -exclusions. Needs auto fetch; each match in a new transcript is an event.',
};

export const monitorProperties = [
  operations,
  ...shownFor('monitor', ['create'], watched),
  ...shownFor('monitor', ['create'], [...languageFields]),
  ...shownFor('monitor', ['create'], [buildOptionsField(autoFetch, fallback, monitorMail, words)]),
  ...shownFor('monitor', ['getMatches', 'update'], [monitorId]),
  ...shownFor('monitor', ['update'], [buildOptionsField(autoFetch, monitorMail, words)]),
  ...shownFor('monitor', ['getMany', 'getMatches'], buildLimitFields()),
];
