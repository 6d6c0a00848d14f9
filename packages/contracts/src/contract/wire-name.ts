/** `rotateKey` is `rotate-key` wherever it leaves the code. */
export const wireNameOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
