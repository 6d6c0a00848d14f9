import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type AnswerKind = 'json' | 'captions' | 'xml' | 'html' | 'srt';

export type AnswerFile = {
  /** The place of the derived answer. */
  readonly name: string;
  readonly kind: AnswerKind;
  /** The beginning of the recorded answer's path, which no other path has. */
  readonly recorded: string;
};

type Group =
  | 'player'
  | 'search'
  | 'listing'
  | 'gone'
  | 'resolve'
  | 'dataApi'
  | 'json3'
  | 'srv'
  | 'feed'
  | 'page'
  | 'srt';

/** Every answer, by its endpoint. `srt` is a peer's conversion of `captions/manual.json3`. */
export const answerFiles = JSON.parse(
  readFileSync(join(import.meta.dirname, 'answer-files.json'), 'utf8'),
) as Readonly<Record<Group, readonly AnswerFile[]>>;

export const allFiles: readonly AnswerFile[] = Object.values(answerFiles).flat();

const findFile = (name: string): AnswerFile => {
  const file = allFiles.find((one) => one.name === name);
  if (file === undefined) throw new RangeError(`no answer ${name}`);
  return file;
};

export const derivedFolder = join(import.meta.dirname, 'derived');
export const recordedFolder = join(import.meta.dirname, '../../../../../../../../shared/recordings');

const endings: Readonly<Record<AnswerKind, string>> = {
  ...{ json: '.json', captions: '.json', xml: '.xml', html: '.html', srt: '.srt' },
};
export const derivedPath = ({ name, kind }: AnswerFile): string => name + endings[kind];
export const readingPath = ({ name }: AnswerFile): string => `${name}.reading.json`;

/** Answers of the platform, by the names of `answerFiles`. */
export type Answers = {
  readonly name: string;
  body(name: string): string;
  /** What an independent reader made of the answer; undefined where there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of what it asks for
  reading(name: string): any;
};

const text = (path: string): string => readFileSync(path, 'utf8');
const parseIfExists = (path: string | undefined): unknown =>
  path === undefined || !existsSync(path) ? undefined : JSON.parse(text(path));

/** Made-up answers, of the structure of real ones. */
export const derived: Answers = {
  name: 'derived',
  body: (name) => text(join(derivedFolder, derivedPath(findFile(name)))),
  reading: (name) => parseIfExists(join(derivedFolder, readingPath(findFile(name)))),
};

/** The only file whose path begins so; undefined where there is none. */
const findByPrefix = (path: string): string | undefined => {
  const folder = dirname(path);
  const [fileName, ...more] = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(basename(path)))
    : [];
  if (more.length > 0) throw new RangeError(`more than one file begins with ${path}`);
  return fileName === undefined ? undefined : join(folder, fileName);
};

/** The answer itself, where it was recorded with its request. */
const unwrapBody = (content: string): string => {
  if (!content.startsWith('{')) return content;
  const { response } = JSON.parse(content);
  return response === undefined ? content : response.responseBody;
};

/** Recorded answers. Readings stand in a folder beside the answers of a collection. */
export const recordedIn = (folder: string): Answers => ({
  name: 'recorded',
  body(name) {
    const path = join(folder, findFile(name).recorded);
    const filePath = findByPrefix(path);
    if (filePath === undefined) throw new RangeError(`nothing begins with ${path}`);
    return unwrapBody(text(filePath));
  },
  reading(name) {
    const [collection = '', ...rest] = findFile(name).recorded.split('/');
    return parseIfExists(findByPrefix(join(folder, collection, 'expected', ...rest)));
  },
});

/** The derived answers; also the recorded ones, where these lie beside the clone. */
export const answerSources: readonly Answers[] = [
  derived,
  ...(existsSync(recordedFolder) ? [recordedIn(recordedFolder)] : []),
];
