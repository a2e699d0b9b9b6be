import type { Metric } from 'web-vitals';
import { loadedVersions } from './loaded-versions.ts';
import { reportVisits } from './report-visits.ts';

const mockMeasured = new Map<string, (metric: object) => void>();

jest.mock('web-vitals', () => ({
  onLCP: (call: (metric: object) => void) => mockMeasured.set('LCP', call),
  onINP: (call: (metric: object) => void) => mockMeasured.set('INP', call),
  onCLS: (call: (metric: object) => void) => mockMeasured.set('CLS', call),
}));

function measure(name: Metric['name'], value: number, entries: readonly object[]): void {
  mockMeasured.get(name)?.({ name, value, entries });
}

const element = (id: string) => document.getElementById(id);

test('visits are reported once a page load, vitals for the remote whose element it was', () => {
  const sent = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 204 }));
  const bodies = (): unknown[] =>
    sent.mock.calls.splice(0).map(([address, init]) => [address, JSON.parse(init?.body as string)]);
  const hidden = jest.spyOn(document, 'visibilityState', 'get');
  const listeners: (() => void)[] = [];
  const showPage = (): void => listeners.forEach((listener) => listener());
  document.head.innerHTML = '<script src="/shell/main.aaaa.js" type="text/plain"></script>';
  document.body.innerHTML = `<header id="menu"></header><main>
    <div data-mf="mf-clinic"><p id="text"><b id="word"></b></p></div><div data-mf="mf-pharmacy"><p id="cart"></p></div></main>`;
  loadedVersions.set('mf-clinic', '1.0.0+a');
  reportVisits((listener) => {
    listeners.push(listener);
    return () => undefined;
  });
  const visits = [
    { remote: 'shell', version: 'main.aaaa.js' },
    { remote: 'mf-clinic', version: '1.0.0+a' },
  ];
  expect(bodies()).toEqual([['/page-visits', { visits, vitals: [] }]]);
  showPage();
  expect(bodies()).toEqual([]);

  loadedVersions.set('mf-pharmacy', '2.0.0+b');
  showPage();
  expect(bodies()).toEqual([['/page-visits', { visits: [{ remote: 'mf-pharmacy', version: '2.0.0+b' }], vitals: [] }]]);

  const gone = document.createElement('p');
  measure('LCP', 900, [{ element: gone }, { element: element('word') }]);
  measure('INP', 40, [{ target: null }, { target: element('menu') }]);
  measure('CLS', 0.2, [
    { value: 0.05, sources: [{ node: element('text') }] },
    { value: 0.15, sources: [{ node: null }, { node: element('cart') }] },
  ]);
  measure('LCP', 950, [{ element: gone }]);
  hidden.mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(bodies()).toEqual([
    [
      '/page-visits',
      {
        visits: [],
        vitals: [
          { name: 'LCP', value: 900, remote: 'mf-clinic', version: '1.0.0+a' },
          { name: 'INP', value: 40, remote: 'shell', version: 'main.aaaa.js' },
          { name: 'CLS', value: 0.2, remote: 'mf-pharmacy', version: '2.0.0+b' },
          // It is unknown whose a removed element was.
          { name: 'LCP', value: 950, remote: 'unknown' },
        ],
      },
    ],
  ]);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(bodies()).toEqual([]);
});
