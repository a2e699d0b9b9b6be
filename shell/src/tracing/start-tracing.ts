import { Interactions } from './interactions.ts';

/** As much of a browser's window as this needs. */
export interface TracedPage extends Pick<EventTarget, 'addEventListener'> {
  fetch: typeof fetch;
  readonly document: Pick<EventTarget, 'addEventListener'>;
  readonly location: { readonly href: string; readonly origin: string; readonly pathname: string };
}

/**
 * Starts a trace with each click or form that sends calls: they carry its `traceparent`
 * (https://www.w3.org/TR/trace-context/), and the gateway gets its spans for the collector. Only pages that the gateway has
 * chosen load this file.
 */
export function startTracing(page: TracedPage): void {
  const send = page.fetch.bind(page);
  const interactions = new Interactions((body) => {
    // The page may be about to close, and nobody waits for the response.
    send('/page-traces', { method: 'POST', body, keepalive: true }).catch((failure: unknown) =>
      console.warn('A trace could not be reported', failure),
    );
  });

  page.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    // Calls have an id; files and reports have none.
    if (typeof input !== 'string' || !headers.has('x-request-id')) return send(input, init);
    const { origin, pathname } = new URL(input, page.location.href);
    const traced = origin === page.location.origin ? interactions.call(init?.method ?? 'GET', pathname) : undefined;
    if (!traced) return send(input, init);
    const { interaction, call } = traced;
    headers.set('traceparent', `00-${interaction.traceId}-${call.spanId}-01`);
    const response = send(input, { ...init, headers });
    response.then(
      ({ status }) => interactions.answered(interaction, call, status),
      () => interactions.answered(interaction, call),
    );
    return response;
  };
  const begin = (kind: 'click' | 'submit') => () => interactions.begin(kind, page.location.pathname);
  page.document.addEventListener('click', begin('click'), { capture: true });
  page.document.addEventListener('submit', begin('submit'), { capture: true });
  page.addEventListener('pagehide', () => interactions.close());
}
