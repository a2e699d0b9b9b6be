/**
 * Makes something dear the first time that it is needed, and once: each of `Intl`'s formats takes a slow phone up to 20 ms.
 *
 * @returns what was made
 */
export function whenNeeded<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
