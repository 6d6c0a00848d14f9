/** Both sides of a benchmark, measured in turn, so that both see the same machine. */
export async function interleave<Ours, Peer>(
  rounds: number,
  sides: { ours: () => Promise<Ours>; peer: () => Promise<Peer> },
): Promise<{ ours: Ours[]; peer: Peer[] }> {
  const ours: Ours[] = [];
  const peer: Peer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [
      async () => void ours.push(await sides.ours()),
      async () => void peer.push(await sides.peer()),
    ];
    // Who comes first alternates: neither always inherits the other's dirty pages.
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  return { ours, peer };
}
