import type { INodeProperties } from 'n8n-workflow';
import {
  buildFormatField,
  buildLimitFields,
  buildOperationField,
  buildOptionsField,
  channelContents,
  citationFormat,
  citedSecond,
  fallback,
  formatOptions,
  languageFields,
  passageCharacters,
  passages,
  shownFor,
  source,
  video,
} from './fields.ts';
import { jobProperties } from './job-properties.ts';
import { monitorProperties } from './monitor-properties.ts';

const resources: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Job', value: 'job' },
    { name: 'List', value: 'list' },
    { name: 'Monitor', value: 'monitor' },
    { name: 'Search', value: 'search' },
    { name: 'Transcript', value: 'transcript' },
  ],
  default: 'transcript',
};

const transcriptProperties = [
  buildOperationField('transcript', [
    {
      name: 'Cite',
      value: 'cite',
      action: 'Cite a video',
      description: 'A reference to a video, or to a second of it. Costs 0 credits.',
    },
    {
      name: 'Get',
      value: 'get',
      action: 'Get a transcript',
      description: 'Costs 1 credit if it is fetched, 0 if it is cached',
    },
    {
      name: 'Get Languages',
      value: 'getLanguages',
      action: 'Get the languages of a video',
      description: 'Costs 0 credits',
    },
  ]),
  ...shownFor('transcript', ['cite', 'get', 'getLanguages'], [video]),
  ...shownFor('transcript', ['cite'], [citationFormat, citedSecond]),
  ...shownFor(
    'transcript',
    ['get'],
    [
      buildFormatField([...formatOptions, passages].sort((one, other) => one.name.localeCompare(other.name))),
      ...languageFields,
      buildOptionsField(fallback, passageCharacters),
    ],
  ),
];

const listProperties = [
  buildOperationField('list', [
    {
      name: 'Get Videos',
      value: 'getVideos',
      action: 'Get the videos of a channel or playlist',
      description: 'Costs 0 credits',
    },
  ]),
  ...shownFor('list', ['getVideos'], [source, channelContents, ...buildLimitFields()]),
];

const searchProperties = [
  buildOperationField('search', [
    {
      name: 'Get Many',
      value: 'getMany',
      action: 'Search videos channels or playlists',
      description: 'Costs 1 credit a page',
    },
  ]),
  ...shownFor(
    'search',
    ['getMany'],
    [
      { displayName: 'Query', name: 'query', type: 'string', required: true, default: '' },
      {
        displayName: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { name: 'Channel', value: 'channel' },
          { name: 'Playlist', value: 'playlist' },
          { name: 'Video', value: 'video' },
        ],
        default: 'video',
      },
      {
        displayName: 'Inside a Channel',
        name: 'channel',
        type: 'string',
        default: '',
        placeholder: '@handle',
        displayOptions: { show: { type: ['video'] } },
      },
      {
        displayName: 'Pages',
        name: 'pages',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 50 },
        default: 1,
        description: 'How many pages are read at most. Each costs 1 credit.',
      },
    ],
  ),
];

/** The form of the node. */
export const properties: INodeProperties[] = [
  resources,
  ...transcriptProperties,
  ...listProperties,
  ...searchProperties,
  ...jobProperties,
  ...monitorProperties,
];
