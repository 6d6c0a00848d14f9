/** How a client's answers differ. Numbers are the platform's, as sent in X-YouTube-Client-Name. */
type ClientRow = {
  number: number;
  /** `name` of tracks and languages: {runs} or {simpleText}. */
  textShape: 'runs' | 'simple';
  translations: 'short' | 'wide' | 'page';
  /** Only the page's own client gets publishDate and the like. */
  microformat: boolean;
  /** Caption URLs of the apps come with a format already set. */
  captionFormat?: string;
};

const page: Omit<ClientRow, 'number'> = { textShape: 'simple', translations: 'page', microformat: true };

const rows = {
  WEB: { number: 1, ...page },
  MWEB: { number: 2, ...page },
  ANDROID: { number: 3, textShape: 'runs', translations: 'short', microformat: false, captionFormat: 'srv3' },
  VISIONOS: { number: 101, textShape: 'runs', translations: 'wide', microformat: false },
} as const satisfies Record<string, ClientRow>;

export type ClientName = keyof typeof rows;
export const clientNames = Object.keys(rows).filter((name): name is ClientName => name in rows);
export const clientRow = (client: ClientName): ClientRow => rows[client];

const byNumber = new Map<number, ClientName>(clientNames.map((name) => [rows[name].number, name]));

/** The client that a name (`ANDROID`) or number (`3`) stands for. */
export const clientOf = (value: string | number): ClientName | undefined =>
  typeof value === 'string' && Object.hasOwn(rows, value)
    ? clientNames.find((name) => name === value)
    : byNumber.get(Number(value));
