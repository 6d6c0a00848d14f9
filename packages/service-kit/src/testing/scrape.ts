/** The value of the first series of this name that has these labels. */
export type Scraped = (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;

/** What a service tells of itself at its private address. */
export const scrape = async (health: string): Promise<Scraped> => {
  const lines = (await (await fetch(`${health}/metrics`)).text()).split('\n');
  return (name, labels = {}) => {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = lines.find(
      (each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)),
    );
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
};
