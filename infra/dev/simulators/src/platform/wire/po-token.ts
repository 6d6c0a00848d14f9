import { hashText } from '../catalogue/random.ts';

const VALID_MS = 6 * 3_600_000;

const createProof = (videoId: string, number: number): string =>
  [1, 2, 3].map((salt) => hashText(`${videoId}.${number}`, salt).toString(36)).join('');

/** A proof-of-origin token that is bound to a video; each number gives another one. */
const createToken = (videoId: string, number: number): string => `Mn${number}.${createProof(videoId, number)}`;

/** True for a token that the provider gave for this video. */
export const isTokenFor = (videoId: string, token: string): boolean => {
  const number = /^Mn(\d{1,9})\./.exec(token)?.[1];
  return number !== undefined && token === createToken(videoId, Number(number));
};

/** Hands out tokens as a provider does, each one once. */
export const createTokens = (now: () => number) => {
  let issued = 0;
  const expiresAt = () => new Date(now() + VALID_MS).toISOString();
  return {
    /** The answer of `POST /get_pot`. */
    tokenFor: (videoId: string) => {
      issued += 1;
      return { poToken: createToken(videoId, issued), contentBinding: videoId, expiresAt: expiresAt() };
    },
    /** One that captions do not accept. */
    refusedFor: (videoId: string) => ({
      poToken: `${createToken(videoId, 0)}-refused`,
      contentBinding: videoId,
      expiresAt: expiresAt(),
    }),
  };
};
