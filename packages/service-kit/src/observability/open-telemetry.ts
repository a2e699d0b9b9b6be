import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import type { Logger } from './log.ts';
import { requestScope } from '../http/request-scope.ts';
import type { ChildSpan, ServerSpan, Tracing, TracingOptions } from './tracing.ts';

/** Milliseconds to batch spans before sending. */
const sendEvery = 1_000;

/** Time limit of the collector's response, milliseconds. */
const sendWithin = 3_000;

/** Milliseconds that shutdown waits for the last spans to be sent. */
const lastSpansWithin = 1_000;

/** Milliseconds between two log lines about a failing collector. */
const warnEvery = 60_000;

/** Commands that have nothing to do with the application's work. */
const silentCommands = new Set(['hello', 'ping', 'endSessions', 'saslStart', 'saslContinue', 'killCursors']);

type BeginSpan = (name: string, kind: SpanKind, attributes: Attributes, parent: Context) => Span;

class RequestSpan implements ServerSpan {
  readonly span: Span;
  readonly context: Context;
  readonly begin: BeginSpan;
  readonly #propagator: W3CTraceContextPropagator;

  constructor(span: Span, context: Context, begin: BeginSpan, propagator: W3CTraceContextPropagator) {
    this.span = span;
    this.context = context;
    this.begin = begin;
    this.#propagator = propagator;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  call(name: string, headers: Record<string, unknown>, attributes: Readonly<Record<string, string>> = {}): ChildSpan {
    const child = this.begin(name, SpanKind.CLIENT, attributes, this.context);
    this.#propagator.inject(trace.setSpan(this.context, child), headers, defaultTextMapSetter);
    return {
      end(status, betterName) {
        if (betterName !== undefined) child.updateName(betterName);
        if (status !== undefined) child.setAttribute('http.response.status_code', status);
        if (status === undefined || status >= 500) child.setStatus({ code: SpanStatusCode.ERROR });
        child.end();
      },
    };
  }

  end(name: string, status: number, attributes: Readonly<Record<string, string>>): void {
    this.span.updateName(name);
    this.span.setAttributes({ 'http.response.status_code': status, ...attributes });
    if (status >= 500) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

/** {@link Tracing} with the official libraries. Spans are created explicitly; nothing is patched. */
export function createTracing({ name, endpoint, ratio, log }: TracingOptions & { readonly endpoint: string }): Tracing {
  warnTo(log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: sendWithin,
  });
  const spans = new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEvery, exportTimeoutMillis: sendWithin });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': name, 'service.namespace': 'clinic' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [spans],
  });
  const tracer = provider.getTracer('clinic');
  const propagator = new W3CTraceContextPropagator();
  const begin: BeginSpan = (spanName, kind, attributes, parent) =>
    tracer.startSpan(spanName, { kind, attributes }, parent);

  return {
    serve(method, headers: IncomingHttpHeaders) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = begin(method, SpanKind.SERVER, { 'http.request.method': method }, parent);
      return new RequestSpan(span, trace.setSpan(parent, span), begin, propagator);
    },
    watchCommands: followCommands,
    close: () => Promise.race([provider.shutdown(), delay(lastSpansWithin, undefined, { ref: false })]),
  };
}

/** An unavailable collector loses its spans and causes an occasional log line, nothing else. */
function warnTo(log: Logger): void {
  let last = -warnEvery;
  setGlobalErrorHandler((error) => {
    if (performance.now() - last < warnEvery) return;
    last = performance.now();
    log.warn({ reason: error instanceof Error ? error.message : JSON.stringify(error) }, 'sending traces failed');
  });
}

function followCommands(client: MongoClient): void {
  const open = new Map<string, Span>();
  const keyOf = ({ address, requestId }: { readonly address: string; readonly requestId: number }): string =>
    `${address} ${requestId}`;
  client.on('commandStarted', (event) => {
    const span = requestScope.getStore()?.span;
    // Work outside any request has no trace to belong to.
    if (span instanceof RequestSpan && !silentCommands.has(event.commandName))
      open.set(keyOf(event), span.begin(...spanOf(event), span.context));
  });
  client.on('commandSucceeded', (event) => {
    open.get(keyOf(event))?.end();
    open.delete(keyOf(event));
  });
  client.on('commandFailed', (event) => {
    const span = open.get(keyOf(event));
    open.delete(keyOf(event));
    span?.setStatus({ code: SpanStatusCode.ERROR, message: event.failure.name }).end();
  });
}

/** The attributes of a command, never the values it searches for or writes. */
function spanOf({ commandName, command, databaseName }: CommandStartedEvent): [string, SpanKind, Attributes] {
  const target: unknown = commandName === 'getMore' ? command['collection'] : command[commandName];
  const collection = typeof target === 'string' ? target : undefined;
  const attributes = {
    'db.system.name': 'mongodb',
    'db.namespace': databaseName,
    'db.operation.name': commandName,
    ...(collection !== undefined && { 'db.collection.name': collection }),
  };
  return [collection === undefined ? commandName : `${commandName} ${collection}`, SpanKind.CLIENT, attributes];
}
