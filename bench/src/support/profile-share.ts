type ProfileNode = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
};

/** As `node --cpu-prof` writes it. */
export type Profile = {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
};

const RESTING = new Set(['(idle)']);
const isOfNode = (url: string): boolean => url === '' || url.startsWith('node:');

/** Time in code of Node itself counts for its caller: the nearest file above it. */
const filesOf = ({ nodes }: Profile): Map<number, string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const files = new Map<number, string>();
  const visit = (node: ProfileNode, above: string): void => {
    const file = isOfNode(node.callFrame.url) ? above : node.callFrame.url;
    files.set(node.id, file);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, file);
    }
  };
  if (nodes[0]) visit(nodes[0], '');
  return files;
};

/** The share of busy time in files that match the pattern, from 0 to 1. */
export const shareOf = (profile: Profile, code: RegExp): number => {
  const files = filesOf(profile);
  const resting = new Set(
    profile.nodes.filter(({ callFrame }) => RESTING.has(callFrame.functionName)).map(({ id }) => id),
  );
  let all = 0;
  let found = 0;
  for (const [index, id] of profile.samples.entries()) {
    if (resting.has(id)) continue;
    const took = profile.timeDeltas[index] ?? 0;
    all += took;
    if (code.test(files.get(id) ?? '')) found += took;
  }
  return all === 0 ? 0 : found / all;
};
