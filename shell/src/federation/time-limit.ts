/** Longest wait for a part of the application, milliseconds. */
export const loadLimitMs = 8000;

/**
 * @param what - names what is loading, for the error message
 * @throws the error of the work, or one of its own if it takes too long
 */
export async function withinLimit<T>(what: string, work: Promise<T>, limitMs = loadLimitMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not arrive within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
