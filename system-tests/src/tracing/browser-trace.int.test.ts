import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCollector, type CollectedSpan } from '@clinic/service-kit/testing/collector';
import { openTracing } from '@clinic/service-kit/tracing';
import { pino } from 'pino';
import { startTracing, type TracedPage } from '../../../shell/src/tracing/start-tracing.ts';
import { openRequestMaker } from '../access/requests.ts';
import { startPagelessGateway } from '../support/pageless-gateway.ts';
import { people, startThreeServices } from '../support/three-services.ts';

const silent = pino({ level: 'silent' });

/** A page of the clinic with the parts that the shell's tracing script uses. */
function openPage(url: string, pathname: string, cookie: string) {
  const events = new EventTarget();
  const page: TracedPage & { readonly document: EventTarget } = {
    addEventListener: events.addEventListener.bind(events),
    document: new EventTarget(),
    location: { href: url + pathname, origin: new URL(url).origin, pathname },
    fetch(input, init) {
      const headers = new Headers(init?.headers);
      headers.set('cookie', cookie);
      headers.set('sec-fetch-site', 'same-origin');
      assert.ok(typeof input === 'string');
      return fetch(new URL(input, url), { ...init, headers });
    },
  };
  startTracing(page);
  return { page, close: () => events.dispatchEvent(new Event('pagehide')) };
}

test(
  'a booking is one trace, from the form in the browser to the row in the database',
  { timeout: 120_000 },
  async (t) => {
    const collector = await startCollector();
    t.after(() => collector.close());
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    // Sample no trace that starts elsewhere.
    const services = await startThreeServices({ env: { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0' } });
    t.after(() => services.close());
    const tracing = await openTracing({ name: 'gateway', endpoint: collector.url, ratio: 0, log: silent });
    t.after(() => tracing?.close());
    const gateway = await startPagelessGateway(
      services,
      { log: silent, tracing },
      { ...endpoint, BROWSER_TRACES_SAMPLER_ARG: '1' },
    );
    t.after(() => gateway.close());
    const { requests } = await openRequestMaker(services);
    const { body } = (await requests['bookAppointment']?.()) ?? assert.fail('no booking');

    const { page, close } = openPage(gateway.url, '/login', await services.signIn(people.patient.email));
    page.document.dispatchEvent(new Event('submit'));
    const headers = { 'content-type': 'application/json', 'x-request-id': 'a'.repeat(32) };
    const booked = await page.fetch('/appoinments', { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(booked.status, 201, await booked.text());
    close();

    const spans: CollectedSpan[] = [await collector.until(({ name }) => name === 'submit /login bookAppointment')];
    for (const next of [
      'POST bookAppointment',
      'POST clinic',
      'send clinic',
      'POST bookAppointment',
      'insert appointments',
    ])
      spans.push(
        await collector.until(({ name, parentSpanId }) => name === next && parentSpanId === spans.at(-1)?.spanId),
      );
    assert.equal(new Set(collector.spans.map(({ traceId }) => traceId)).size, 1, 'nothing else is sampled');
    assert.deepEqual([...collector.services].toSorted(), ['browser', 'gateway', 'svc-clinic']);
    assert.doesNotMatch(JSON.stringify(collector.spans), /Amina|@/);
  },
);
