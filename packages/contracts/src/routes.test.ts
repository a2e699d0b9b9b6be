import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from './calls.ts';
import { pages, redirects } from './pages.ts';
import type { Route, ServiceName } from './route.ts';
import { routes, segmentsOf } from './routes.ts';

const services: readonly ServiceName[] = ['identity', 'clinic', 'pharmacy'];

test('a path segment belongs to one service only', () => {
  const owned = services.flatMap(segmentsOf);
  assert.equal(new Set(owned).size, owned.length);
  assert.deepEqual(Object.fromEntries(services.map((service) => [service, segmentsOf(service)])), {
    identity: ['jwt', 'users', 'update-role', 'staff', 'access-events', 'deployments'],
    clinic: [
      'doctors',
      'appoinments',
      'waitlist',
      'pharmacists',
      'doc-pharma',
      'update-appoinment',
      'calendar-feed',
      'scheduling-links',
    ],
    pharmacy: ['medicine', 'orderMedi'],
  });
});

test('no page and no redirect shares a path with a service', () => {
  const owned = new Set(services.flatMap(segmentsOf));
  const paths = [
    ...Object.values(pages)
      .flat()
      .map((page) => page.path),
    ...Object.values(redirects)
      .flat()
      .map(({ from }) => from),
    '/login',
    '/register',
    '/dash',
  ];
  assert.deepEqual(
    paths.filter((path) => owned.has(path.split('/')[1] ?? '')),
    [],
  );
});

test('method and path identify one call', () => {
  const names = Object.values(routes).map((route: Route) => `${route.method} ${route.path}`);
  assert.equal(new Set(names).size, names.length);
});

test('every call validates the parameters in its path', () => {
  for (const call of Object.values(calls)) assert.equal(/:/.test(call.path), 'params' in call, call.id);
});

test('every field that a rule reads is in the schema of that part', () => {
  for (const call of Object.values(calls)) {
    const access = call.access as Route['access'];
    if (access.kind !== 'restricted' || !access.self) continue;
    const part = (call as unknown as Record<string, { shape: Record<string, unknown> }>)[access.self.in];
    assert.ok(part && access.self.field in part.shape, `${call.id} has no ${access.self.in}.${access.self.field}`);
  }
});
