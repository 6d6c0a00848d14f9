/** So few that a batch of requests finds company in each, and more than a cluster for these keys has servers. */
const TAGS = 8;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The hash tag of what is named `name`, such as an account: keys with the same one lie on the same server of a Redis cluster, so
 * that one script or command may touch them together. Many names share a tag.
 */
export const hashTag = (name: string): string => {
  let hash = FNV_OFFSET;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), FNV_PRIME);
  return `{${(hash ^ (hash >>> 15)) & (TAGS - 1)}}`;
};

const tagIn = /\{[^}]+\}/;

/** Keys by their hash tag: each group may be touched together. */
export const byHashTag = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => [
  ...Map.groupBy(items, (item) => {
    const key = keyOf(item);
    return tagIn.exec(key)?.[0] ?? key;
  }).values(),
];
