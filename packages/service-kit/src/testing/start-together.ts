/**
 * Waits for parts that start side by side. If one fails, the others are closed once they have started, not left behind.
 *
 * @param begun - closes them, in reverse order
 * @throws the first part's error
 */
export async function startTogether<Parts extends readonly Promise<{ close(): unknown }>[]>(
  begun: AsyncDisposableStack,
  starting: readonly [...Parts],
): Promise<{ [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  const started = starting.map(async (part) => {
    const running = await part;
    begun.defer(async () => void (await running.close()));
    return running;
  });
  return (await allOrFirstError(started)) as { [Index in keyof Parts]: Awaited<Parts[Index]> };
}

/**
 * Like `Promise.all`, but ends only when all have.
 *
 * @param others - aborted by the first error, with it
 * @throws the first error
 */
export async function allOrFirstError<T>(promises: readonly Promise<T>[], others?: AbortController): Promise<T[]> {
  const all = Promise.all(promises);
  all.catch((error: unknown) => others?.abort(error));
  await Promise.allSettled(promises);
  return all;
}
