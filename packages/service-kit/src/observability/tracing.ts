import type { IncomingHttpHeaders } from 'node:http';
import type { MongoClient } from 'mongodb';
import type { Logger } from './log.ts';

/** The root span of a request in this service. */
export interface ServerSpan {
  readonly traceId: string;
  /** Starts a span for a call to another server that the request waits for; its headers propagate the trace. */
  call(name: string, headers: Record<string, unknown>, attributes?: Readonly<Record<string, string>>): ChildSpan;
  /** @param name - e.g. `GET listOrders` */
  end(name: string, status: number, attributes: Readonly<Record<string, string>>): void;
}

export interface ChildSpan {
  /**
   * @param status - of the response; omit it if there was none
   * @param name - replaces the name given at the start
   */
  end(status?: number, name?: string): void;
}

/** Sends spans to an OpenTelemetry collector. */
export interface Tracing {
  /** Starts the span of an incoming request, as a child of its `traceparent` (W3C Trace Context). */
  serve(method: string, headers: IncomingHttpHeaders): ServerSpan;
  /** Adds a span for every database command of a request; the client must have been created with `monitorCommands`. */
  watchCommands(client: MongoClient): void;
  /** Flushes pending spans; doesn't wait long for a collector that doesn't respond. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `service.name`, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES override it. */
  readonly name: string;
  /** URL of an OTLP/HTTP collector, without `/v1/traces`; `undefined` disables tracing. */
  readonly endpoint: string | undefined;
  /** Share of the traces started here to sample, 0 to 1; for traces started elsewhere the caller's decision holds. */
  readonly ratio: number;
  readonly log: Logger;
}

/** Starts tracing if an endpoint is configured. Otherwise the OpenTelemetry libraries aren't even loaded. */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const { endpoint } = options;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing({ ...options, endpoint });
}
