import type { BrowserSpan, Tracing } from '@clinic/service-kit/tracing';
import { z } from 'zod';
import type { ReportKind } from './visitor-reports.ts';

/** A page sends one report for each click or form that makes calls. */
const limits = { perNetwork: 120, altogether: 3000 };

/** Longer times are implausible, in milliseconds. */
const maxMs = 600_000;

const time = z.number().min(0).max(maxMs);
const path = z.string().startsWith('/').max(500);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);
/** Relative to when the report was sent, because a visitor's clock may be wrong. */
const times = { startedMsAgo: time, ms: time };

/**
 * What a visitor did and the calls it led to. It has no text from the page; its addresses, which may contain names, are
 * replaced by route paths and call ids before it is sent on.
 */
const schema = z.object({
  traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
  spanId,
  kind: z.enum(['click', 'submit']),
  page: path,
  ...times,
  calls: z
    .array(
      z.object({
        spanId,
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        path,
        ...times,
        /** Missing if no response came. */
        status: z.number().int().min(100).max(599).optional(),
      }),
    )
    .min(1)
    .max(30),
});
type Report = z.output<typeof schema>;

export interface PageTracesOptions {
  readonly tracing: Pick<Tracing, 'record'>;
  /** The route path of the page at a path; `undefined` if there is none. */
  readonly pageAt: (path: string) => string | undefined;
  /** The id of a service's call; `undefined` if there is none. */
  readonly callAt: (method: string, path: string) => string | undefined;
}

/** Sends the spans of visitors' browsers to the collector. */
export function pageTraces({ tracing, pageAt, callAt }: PageTracesOptions): ReportKind<z.output<typeof schema>> {
  return {
    what: 'page trace',
    bodyLimit: 16 * 1024,
    limits,
    schema,
    take: (report) => {
      const page = pageAt(report.page) ?? '[unknown]';
      const calls = report.calls.map((call) => ({ ...call, id: callAt(call.method, call.path) ?? '[unknown]' }));
      for (const span of spansOf({ ...report, page, calls }, Date.now())) tracing.record(span);
    },
  };
}

type NamedReport = Omit<Report, 'calls'> & {
  readonly calls: readonly (Report['calls'][number] & { readonly id: string })[];
};

function spansOf({ traceId, spanId: root, kind, page, calls, ...span }: NamedReport, now: number): BrowserSpan[] {
  // Named after the change, rather than what was read before or after it.
  const main = calls.find(({ method }) => method !== 'GET') ?? calls[0];
  const attributes = { 'clinic.page': page };
  const hasFailed = (status: number | undefined): boolean => status === undefined || status >= 400;
  return [
    {
      traceId,
      spanId: root,
      name: `${kind} ${page} ${main?.id ?? ''}`.trimEnd(),
      isRequest: false,
      startedAt: now - span.startedMsAgo,
      ms: span.ms,
      failed: false,
      attributes,
    },
    ...calls.map(({ spanId: own, method, id, startedMsAgo, ms, status }) => ({
      traceId,
      spanId: own,
      parentSpanId: root,
      name: `${method} ${id}`,
      isRequest: true,
      startedAt: now - startedMsAgo,
      ms,
      failed: hasFailed(status),
      attributes: {
        ...attributes,
        'clinic.call': id,
        'http.request.method': method,
        ...(status !== undefined && { 'http.response.status_code': status }),
      },
    })),
  ];
}
