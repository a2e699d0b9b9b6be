/** Milliseconds from the first page until the shell loads what it doesn't need. */
const idleMs = 3_000;

/** Runs work that the first page doesn't need, once it has loaded. */
export function afterLoading(work: () => Promise<void>): void {
  const start = (): void => {
    const late = (): void => void work().catch((error: unknown) => console.warn('A part could not be loaded', error));
    setTimeout(late, idleMs);
  };
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
