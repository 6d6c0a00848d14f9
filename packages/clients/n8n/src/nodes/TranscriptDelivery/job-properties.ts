import {
  buildFormatField,
  buildOperationField,
  buildOptionsField,
  channelContents,
  fallback,
  formatOptions,
  jobId,
  languageFields,
  mail,
  passageCharacters,
  passages,
  shownFor,
  source,
} from './fields.ts';

const operations = buildOperationField('job', [
  {
    name: 'Create',
    value: 'create',
    action: 'Create a job',
    description: 'Fetches up to 500 transcripts in the background: 1 credit for each that is not cached',
  },
  { name: 'Get', value: 'get', action: 'Get a job' },
  {
    name: 'Get Files',
    value: 'getFiles',
    action: 'Get the files of a job',
    description: 'An item for each transcript that was delivered, for 0 credits',
  },
  {
    name: 'Wait',
    value: 'wait',
    action: 'Wait for a job',
    description: 'For long jobs use the trigger: this holds the execution',
  },
]);

const createFields = [
  {
    displayName: 'From',
    name: 'from',
    type: 'options' as const,
    options: [
      { name: 'Channel or Playlist', value: 'source' },
      { name: 'Video IDs', value: 'videos' },
    ],
    default: 'source',
  },
  { ...source, displayOptions: { show: { from: ['source'] } } },
  {
    displayName: 'Video IDs',
    name: 'videoIds',
    type: 'string' as const,
    required: true,
    typeOptions: { rows: 4 },
    default: '',
    displayOptions: { show: { from: ['videos'] } },
    description: 'IDs of 11 characters, one a line or with commas between, or an array by an expression',
  },
  buildFormatField(formatOptions),
  ...languageFields,
  buildOptionsField(
    { ...channelContents, displayOptions: { show: { '/from': ['source'] } } },
    fallback,
    mail,
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      default: '',
      description: 'Your name for the job, in every answer and event',
    },
    {
      displayName: 'Newest',
      name: 'newest',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 500 },
      default: 50,
      description: 'Only the first videos of the source, for a channel the newest',
      displayOptions: { show: { '/from': ['source'] } },
    },
  ),
];

const fileFields = [
  {
    displayName: 'As',
    name: 'as',
    type: 'options' as const,
    options: [
      { ...passages, description: `${passages.description}. The format of the job must be JSON.` },
      { name: 'Text', value: 'text', description: 'An item for each transcript, in the format of the job' },
    ],
    default: 'text',
  },
  { ...buildOptionsField(passageCharacters), displayOptions: { show: { as: ['passages'] } } },
];

export const jobProperties = [
  operations,
  ...shownFor('job', ['create'], createFields),
  ...shownFor('job', ['get', 'getFiles', 'wait'], [jobId]),
  ...shownFor('job', ['getFiles'], fileFields),
  ...shownFor(
    'job',
    ['wait'],
    [
      {
        displayName: 'Timeout',
        name: 'timeout',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 10,
        description: 'Minutes until the wait fails. The job goes on.',
      },
    ],
  ),
];
