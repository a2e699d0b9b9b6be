import type { IncomingHttpHeaders } from 'node:http';
import type { MongoClient } from 'mongodb';
import type { Logger } from './log.ts';

/** A request's span; all others of the request are below it. */
export interface ServerSpan {
  readonly traceId: string;
  /** Begins a span of something that the request waits for at another server; its headers carry the trace on. */
  call(name: string, headers: Record<string, unknown>, attributes?: Readonly<Record<string, string>>): ChildSpan;
  /** @param name - e.g. `GET listOrders` */
  end(name: string, status: number, attributes: Readonly<Record<string, string>>): void;
}

export interface ChildSpan {
  /**
   * @param status - of the answer; none: there was no answer
   * @param name - a better one than it began with
   */
  end(status?: number, name?: string): void;
}

/** Tells a collector what happens where, and how long it takes (OpenTelemetry). */
export interface Tracing {
  /** Begins the span of a request that has arrived, below the one that its `traceparent` names (W3C Trace Context). */
  serve(method: string, headers: IncomingHttpHeaders): ServerSpan;
  /** Gives every command of a request a span; the client must have been made with `monitorCommands`. */
  watchCommands(client: MongoClient): void;
  /** Sends what is waiting; does not wait long for a collector that does not answer. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `service.name`, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES say another. */
  readonly name: string;
  /** Address of an OTLP/HTTP collector, without `/v1/traces`; none: no tracing. */
  readonly endpoint: string | undefined;
  /** Which part of the traces that begin here is kept, 0 to 1; those that began elsewhere are kept as was decided there. */
  readonly ratio: number;
  readonly log: Logger;
}

/** Opens tracing where an endpoint is configured. Without one not a line of the libraries is loaded. */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const { endpoint } = options;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing({ ...options, endpoint });
}
