/** Nobody waits longer than this for a part of the application, in milliseconds, whatever hangs. */
export const loadLimitMs = 8000;

/**
 * @param what - is being waited for, in the error's words
 * @throws whatever the work throws, or an error of its own when that takes too long
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
