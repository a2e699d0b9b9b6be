import { attributeOf, startCollector } from '@clinic/service-kit/testing/collector';
import { expect, test } from '@playwright/test';
import { openTestEnvironment } from '../support/test-environment.ts';

test('a page that is chosen for traces runs their script under its policy, and a click reaches the collector', async ({
  browser,
  baseURL,
}) => {
  const collector = await startCollector();
  const testEnv = await openTestEnvironment(String(baseURL), {
    gateway: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
      BROWSER_TRACES_SAMPLER_ARG: '1',
    },
  });
  const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
  await page.goto('/about?q=Quxworthy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // At once, as a screen would: a call a second after the click isn't part of its trace.
  await page.evaluate(async () => {
    document.querySelector('h1')?.click();
    await fetch('/doctors?limit=1', { headers: { 'x-request-id': 'a'.repeat(32) } });
  });
  const clicked = await collector.until(({ name }) => name === 'click /about listDoctors');
  const called = await collector.until(({ parentSpanId }) => parentSpanId === clicked.spanId);
  expect([called.name, attributeOf(called, 'http.response.status_code')]).toEqual(['GET listDoctors', 200]);
  await collector.until(({ name, parentSpanId }) => name === 'GET clinic' && parentSpanId === called.spanId);
  expect(JSON.stringify(collector.spans)).not.toContain('Quxworthy');
  await page.context().close();
  await testEnv.close();
  await collector.close();
});
