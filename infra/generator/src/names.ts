import { wireNameOf } from '@tds/contracts';

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export type Name = {
  /** `find-videos`: folders, files, and what leaves the code. */
  readonly kebab: string;
  /** `findVideos`: the name in code. */
  readonly camel: string;
  /** `FindVideos`: within other names. */
  readonly pascal: string;
};

/** Of a name in either form. Throws where it is neither. */
export const nameOf = (word: string): Name => {
  const kebab = wireNameOf(word);
  if (!KEBAB.test(kebab)) throw new Error(`"${word}" is no name such as find-videos or findVideos`);
  const camel = kebab.replace(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());
  return { kebab, camel, pascal: `${camel.slice(0, 1).toUpperCase()}${camel.slice(1)}` };
};

/** Of several of them. */
export const pluralOf = ({ kebab }: Name): Name =>
  nameOf(kebab.endsWith('y') ? `${kebab.slice(0, -1)}ies` : `${kebab}s`);
