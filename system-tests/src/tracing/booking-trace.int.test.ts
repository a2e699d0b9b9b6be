import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCollector, type CollectedSpan } from '@clinic/service-kit/testing/collector';
import { openTracing } from '@clinic/service-kit/tracing';
import { pino } from 'pino';
import { openRequestMaker } from '../access/requests.ts';
import { startPagelessGateway } from '../support/pageless-gateway.ts';
import { people, startThreeServices } from '../support/three-services.ts';

const silent = pino({ level: 'silent' });

test('a booking is one trace, from the gateway to the row in the database', { timeout: 300_000 }, async (t) => {
  const collector = await startCollector();
  t.after(() => collector.close());
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  // The gateway decides which traces are kept.
  const services = await startThreeServices({ env: { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0' } });
  t.after(() => services.close());
  const { requests } = await openRequestMaker(services);
  const { body } = (await requests['bookAppointment']?.()) ?? assert.fail('no booking');
  const cookie = await services.signIn(people.patient.email);
  const tracing = await openTracing({ name: 'gateway', endpoint: collector.url, ratio: 1, log: silent });
  t.after(() => tracing?.close());
  const gateway = await startPagelessGateway(services, { log: silent, tracing }, endpoint);
  t.after(() => gateway.close());

  const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const booked = await fetch(`${gateway.url}/appoinments`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(booked.status, 201, await booked.text());

  const spans: CollectedSpan[] = [await collector.until(({ name }) => name === 'POST clinic')];
  for (const next of ['send clinic', 'POST bookAppointment', 'insert appointments'])
    spans.push(
      await collector.until(({ name, parentSpanId }) => name === next && parentSpanId === spans.at(-1)?.spanId),
    );
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  assert.deepEqual([...collector.services].toSorted(), ['gateway', 'svc-clinic']);
  assert.doesNotMatch(JSON.stringify(collector.spans), /Amina|@/);
});
