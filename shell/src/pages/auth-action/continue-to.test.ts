import { continueTo } from './continue-to.ts';

test.each([
  [null, '/dash'],
  ['no address', '/dash'],
  ['https://elsewhere.example/dash', '/dash'],
  [`${location.origin}/dash/orders?page=2`, '/dash/orders?page=2'],
  [`${location.origin}//elsewhere.example/x`, '/elsewhere.example/x'],
  [`${location.origin}/\\\\elsewhere.example?q`, '/elsewhere.example?q'],
])('%s continues to %s, a path of ours', (requested, expected) => {
  const path = continueTo(requested);
  expect([path, new URL(path, location.origin).origin]).toEqual([expected, location.origin]);
});
