import assert from 'node:assert/strict';
import { it } from 'node:test';
import { importsOfPages } from './page-chunks.ts';

it('finds the import of each page in the remote’s routes', () => {
  const source = `
    { path: '/', ...lazyScreen(async () => (await import('./home/home-page.tsx')).HomePage) },
    { path: '/about', lazy: () => import(/* webpackChunkName: "about" */ "./about/about-page.tsx") },
    { path: '/plain', element: <Plain /> },
    { path: '/doctor/:_id', ...lazyScreen(async () => (await import('./doctor/doctor-page.tsx')).DoctorPage) },`;
  assert.deepEqual(
    [...importsOfPages(source, ['/', '/about', '/plain', '/doctor/:_id', '/missing'])],
    [
      ['/', './home/home-page.tsx'],
      ['/about', './about/about-page.tsx'],
      ['/doctor/:_id', './doctor/doctor-page.tsx'],
    ],
  );
});
