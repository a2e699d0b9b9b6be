import { isFixed } from './resolve.ts';

/** Where a gateway sends requests, as its settings name it. */
export interface Destinations {
  readonly SERVICES: ReadonlyMap<string, readonly string[]>;
  readonly REMOTES: ReadonlyMap<string, readonly string[]>;
  readonly SHELL_URL: readonly string[];
  readonly AUTH_EMULATOR_URL: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
}

/** Threads that libuv starts for file access and lookups by default, and at most. */
const [usual, most] = [4, 1024];

/**
 * The threads with which every host name can be looked up at the same time: a lookup of a name that doesn't answer can't
 * be cancelled and takes its thread for many seconds, and libuv leaves lookups half of the threads.
 *
 * @param given - an operator's UV_THREADPOOL_SIZE, which may ask for more
 */
export function lookupThreads(destinations: Destinations, given: string | undefined): number {
  const { SERVICES, REMOTES, SHELL_URL, AUTH_EMULATOR_URL, OTEL_EXPORTER_OTLP_ENDPOINT } = destinations;
  const urls = [
    ...SERVICES.values(),
    ...REMOTES.values(),
    SHELL_URL,
    AUTH_EMULATOR_URL ?? [],
    OTEL_EXPORTER_OTLP_ENDPOINT ?? [],
  ].flat();
  const names = new Set(urls.filter((url) => !isFixed(url)).map((url) => new URL(url).hostname));
  return Math.min(most, Math.max(usual, Number(given) || 0, 2 * names.size));
}
