import { ApiProblem } from '@clinic/app-kit';
import type * as LoadedVersions from './loaded-versions.ts';
import type * as ReportError from './report-error.ts';
import { referenceOf, reportError } from './report-error.ts';

/** An error as in a browser, thrown in files of ours and of others. */
function broken(message: string): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}
    at Orders (http://localhost:8080/mf/mf-pharmacy/97.4eed27ae901be36310b1.js:1:2345)
    at Lt (http://localhost:8080/shell/react.abb089ccc04b129af9e5.js:2:11)
    at https://ads.example/ann@mail.example.js:1:1`;
  return error;
}

describe('error reports', () => {
  let sent: jest.SpyInstance<Promise<Response>, Parameters<typeof fetch>>;
  const bodies = (): unknown[] => sent.mock.calls.map(([, init]) => JSON.parse(init?.body as string) as unknown);

  beforeEach(() => {
    sent = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 204 }));
  });
  afterEach(() => sent.mockRestore());

  it('contain remote, version, page, kind and places in our files, and quote nothing', () => {
    reportError(broken('No patient Ann Lee'), {
      kind: 'broken',
      remote: 'mf-pharmacy',
      version: '1.0.0+1',
      page: '/dash/orders',
    });
    expect(bodies()).toEqual([
      {
        kind: 'broken',
        remote: 'mf-pharmacy',
        version: '1.0.0+1',
        page: '/dash/orders',
        error: 'TypeError',
        at: ['mf/mf-pharmacy/97.4eed27ae901be36310b1.js:1:2345', 'shell/react.abb089ccc04b129af9e5.js:2:11'],
        // The page shows the same reference. Another error from the same place gets it too.
        reference: referenceOf(broken('No patient Ben Lee')),
        first: true,
      },
    ]);
    expect(sent.mock.calls[0]?.[0]).toBe('/page-errors');
    expect(JSON.stringify(sent.mock.calls)).not.toMatch(/Ann|ads|mail/i);
  });

  it('mark the first of a remote in this page load, once its version is known', () => {
    const [version, kind] = ['1.0.0', 'broken'] as const;
    reportError(broken('while loading'), { kind, remote: 'mf-admin' });
    for (const page of ['/one', '/two']) reportError(broken('again'), { kind, remote: 'mf-admin', version, page });
    reportError(broken('other'), { kind, remote: 'mf-public', version });
    expect(bodies()).toMatchObject([
      { remote: 'mf-admin', first: false },
      { remote: 'mf-admin', first: true },
      { remote: 'mf-admin', first: false },
      { remote: 'mf-public', first: true },
    ]);
  });

  it('refer to the failed call, if a call failed', () => {
    const problem = { type: '', title: 'Gone', status: 410, code: 'not_found', requestId: 'of-the-call' } as const;
    expect(referenceOf(new ApiProblem(problem))).toBe('of-the-call');
    expect(referenceOf(new Error('one'))).toMatch(/^[0-9a-f]{32}$/);
    expect(referenceOf(undefined)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are sent once each, and are limited in number', () => {
    for (let again = 0; again < 3; again += 1) reportError(broken('again'), { kind: 'broken', remote: 'mf-clinic' });
    expect(sent).toHaveBeenCalledTimes(1);
    for (let different = 0; different < 100; different += 1)
      reportError(broken('more'), { kind: 'broken', page: `/dash/${different}` });
    expect(sent.mock.calls.length).toBeLessThanOrEqual(20);
  });

  it('are the shell’s if they come from no remote, and mark its first only', () => {
    jest.isolateModules(() => {
      document.head.innerHTML = '<script src="/shell/main.aaaa.js" type="text/plain"></script>';
      const { reportError: report } = jest.requireActual<typeof ReportError>('./report-error.ts');
      report(new Error('somewhere'), { kind: 'broken' });
      report(new Error('in the frame'), { kind: 'broken', remote: 'shell', page: '/login' });
    });
    expect(bodies()).toMatchObject([
      { remote: 'shell', version: 'main.aaaa.js', first: true },
      { remote: 'shell', version: 'main.aaaa.js', first: false },
    ]);
  });

  it('identify the remote of an uncaught error by its file', () => {
    jest.isolateModules(() => {
      jest.requireActual<typeof ReportError>('./report-error.ts').reportUncaught();
      const { loadedVersions } = jest.requireActual<typeof LoadedVersions>('./loaded-versions.ts');
      loadedVersions.set('mf-pharmacy', '2.0.0+b');
    });
    dispatchEvent(new ErrorEvent('error', { error: broken('uncaught') }));
    dispatchEvent(
      new ErrorEvent('error', {
        error: null,
        message: 'ResizeObserver loop completed with undelivered notifications.',
      }),
    );
    expect(bodies()).toMatchObject([{ kind: 'broken', remote: 'mf-pharmacy', version: '2.0.0+b', first: true }]);
  });
});
