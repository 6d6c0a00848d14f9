import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export const buildOperationField = (resource: string, options: INodePropertyOptions[]): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options,
  default: options[0]?.value,
});

/** Shows properties for operations of a resource only. */
export const shownFor = (
  resource: string,
  operation: string[],
  properties: INodeProperties[],
): INodeProperties[] =>
  properties.map((property) => ({
    ...property,
    displayOptions: { show: { resource: [resource], operation, ...property.displayOptions?.show } },
  }));

export const video: INodeProperties = {
  displayName: 'Video',
  name: 'video',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  description: 'The address or the ID of the video',
};
export const source: INodeProperties = {
  displayName: 'Channel or Playlist',
  name: 'source',
  type: 'string',
  required: true,
  default: '',
  placeholder: '@handle',
  description: 'A channel or playlist URL, a handle, an ID, or list:&lt;key&gt;',
};
const buildLanguageField = (version: number, defaultValue: string): INodeProperties => ({
  displayName: 'Language',
  name: 'language',
  type: 'string',
  default: defaultValue,
  placeholder: 'orig,en',
  displayOptions: { show: { '@version': [version] } },
  description:
    'A tag such as pt-BR, "orig" for the language that is spoken, or several in order of preference. English if empty. A language without captions is translated by machine.',
});
/** Nodes of existing workflows keep their default: English. */
export const languageFields: readonly INodeProperties[] = [
  buildLanguageField(1, ''),
  buildLanguageField(2, 'orig'),
];
export const fallback: INodeProperties = {
  displayName: 'Fallback',
  name: 'fallback',
  type: 'boolean',
  default: true,
  description: 'Whether another language is delivered if the requested one is not available',
};
export const passageCharacters: INodeProperties = {
  displayName: 'Passage Characters',
  name: 'passageCharacters',
  type: 'number',
  typeOptions: { minValue: 200, maxValue: 8_000 },
  default: 700,
  description: 'The most characters of a passage',
};
export const channelContents: INodeProperties = {
  displayName: 'Contents',
  name: 'contents',
  type: 'options',
  options: [
    { name: 'All', value: 'all' },
    { name: 'Shorts', value: 'shorts' },
    { name: 'Streams', value: 'streams', description: 'Broadcasts, past and to come' },
    { name: 'Videos', value: 'videos', description: 'Without Shorts and streams' },
  ],
  default: 'all',
  description: 'Which videos of a channel',
};
export const jobId: INodeProperties = {
  displayName: 'Job ID',
  name: 'jobId',
  type: 'string',
  required: true,
  default: '',
};

export const mail: INodeProperties = {
  displayName: 'Mail',
  name: 'mail',
  type: 'options',
  options: [
    { name: 'At Once', value: 'now' },
    { name: 'Daily', value: 'daily', description: 'In one mail of the account' },
    { name: 'None', value: 'none' },
  ],
  default: 'none',
  description: 'Whether the holder of the account gets a mail',
};

/** Of a monitor, which has a weekly mail, too. */
export const monitorMail: INodeProperties = {
  ...mail,
  options: [
    ...(mail.options ?? []),
    { name: 'Weekly', value: 'weekly', description: 'In one mail of the account' },
  ],
};

export const buildLimitFields = (): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    displayOptions: { show: { returnAll: [false] } },
    default: 50,
    description: 'Max number of results to return',
  },
];

export const buildOptionsField = (...options: INodeProperties[]): INodeProperties => ({
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options,
});

export const formatOptions: INodePropertyOptions[] = [
  { name: 'JSON', value: 'json', description: 'Captions with start and duration' },
  { name: 'Markdown', value: 'md' },
  { name: 'Plain Text', value: 'clean' },
  { name: 'Plain Text and Times', value: 'both' },
  { name: 'SubRip', value: 'srt' },
  { name: 'Text with Times', value: 'timestamped' },
  { name: 'WebVTT', value: 'vtt' },
];
export const passages: INodePropertyOptions = {
  name: 'Passages',
  value: 'passages',
  description: 'Whole sentences, an item each, with a link to their second',
};

export const buildFormatField = (options: INodePropertyOptions[]): INodeProperties => ({
  displayName: 'Format',
  name: 'format',
  type: 'options',
  options,
  default: 'clean',
});

export const citationFormat: INodeProperties = {
  displayName: 'Format',
  name: 'citationFormat',
  type: 'options',
  options: [
    { name: 'APA', value: 'apa', description: 'A line of text' },
    { name: 'BibTeX', value: 'bibtex' },
    { name: 'CSL-JSON', value: 'csl-json' },
    { name: 'RIS', value: 'ris' },
  ],
  default: 'apa',
};
export const citedSecond: INodeProperties = {
  displayName: 'Second',
  name: 'at',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: '',
  description: 'The second of the video that is cited. All of it if empty.',
};
