import { bounds } from '../../config/bounds.ts';
import { refuseXml, walkXml } from '../../guarded-xml.ts';
import { isTooDense, MARKUP } from '../../too-dense.ts';

/** Texts by their path inside of the feed or of an entry, and `alternate`, the address of the page. */
export type FeedFields = ReadonlyMap<string, string>;
export type FeedTexts = { readonly feed: FeedFields; readonly entries: readonly FeedFields[] };

const WANTED: ReadonlySet<string> = new Set([
  ...['id', 'title', 'published', 'updated', 'yt:videoId', 'yt:channelId', 'yt:playlistId'],
  ...['author/name', 'author/uri', 'media:group/media:title'],
]);
/** Characters and references that XML does not allow, and that are no reason to lose a feed: the parser goes on behind them. */
const HARMLESS = /disallowed character\.$|undefined entity\.$|malformed character entity\.$/;
/** Many times those of a real feed. */
const MOST_ENTRIES = 10 * bounds.feedEntries;

/** The texts of an Atom document that a reader of feeds looks at; whatever else it has is passed over. */
export const feedFields = (body: string): FeedTexts => {
  const feed = new Map<string, string>();
  const entries: Map<string, string>[] = [];
  const path: string[] = [];
  let entry: Map<string, string> | null = null;
  let text = '';
  const keep = (name: string, value: string) => {
    const fields = entry ?? feed;
    if (!fields.has(name)) fields.set(name, value);
  };
  const isEntry = () => path.length === 2 && path[1] === 'entry';
  const inner = () => path.slice(entry === null ? 1 : 2).join('/');
  if (isTooDense(body, MARKUP, bounds.feedMarks)) refuseXml('too_dense');
  walkXml(body, {
    harmless: HARMLESS,
    open({ name, attributes }) {
      path.push(name);
      text = '';
      if (path.length === 1 && name !== 'feed') refuseXml('not_a_feed');
      if (isEntry()) {
        entry = new Map();
        entries.push(entry);
        if (entries.length > MOST_ENTRIES) refuseXml('too_many_entries');
      } else if (inner() === 'link' && attributes.rel === 'alternate') {
        keep('alternate', attributes.href ?? '');
      }
    },
    text(piece) {
      text += piece;
    },
    close() {
      const name = inner();
      if (WANTED.has(name)) keep(name, text);
      if (isEntry()) entry = null;
      path.pop();
    },
  });
  return { feed, entries };
};
