type Block = { readonly ref: string; readonly bought: number; net: number };

/** The rules of blocks in plain memory: remaining credits belong to the newest blocks. */
export class BlocksModel {
  readonly #blocks: Block[] = [];
  /** Purchased credits left, without those of blocks first. Negative is debt. */
  #left = 0;

  #find(ref: string): Block | undefined {
    return this.#blocks.find((block) => block.ref === ref);
  }

  buy(ref: string, bought: number): boolean {
    if (this.#find(ref)) return false;
    this.#blocks.push({ ref, bought, net: bought });
    this.#left += bought;
    return true;
  }

  boughtOf(ref: string): number {
    return this.#find(ref)?.bought ?? 0;
  }

  give(amount: number): void {
    this.#left += amount;
  }

  /** Returns the spent credits. */
  spend(amount: number): number {
    this.#left -= amount;
    return amount;
  }

  correct(ref: string, net: number): void {
    const block = this.#find(ref);
    if (!block) return;
    this.#left += net - block.net;
    block.net = net;
  }

  takeBack(ref: string): string {
    const block = this.#find(ref);
    if (!block) return 'unknown';
    if (block.net === 0) return 'taken';
    if (this.#left < 0) return 'in_debt';
    if (block.net < block.bought || this.leftOf(ref) !== block.bought) return 'used';
    this.correct(ref, 0);
    return 'taken';
  }

  /** Credits left in a block. */
  leftOf(ref: string): number | undefined {
    let left = Math.max(this.#left, 0);
    for (const block of this.#blocks.toReversed()) {
      const here = Math.min(left, block.net);
      if (block.ref === ref) return here;
      left -= here;
    }
    return undefined;
  }

  balance(): { purchased: number; debt: number } {
    return { purchased: Math.max(this.#left, 0), debt: Math.max(-this.#left, 0) };
  }
}
