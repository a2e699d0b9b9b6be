import { storedAttempts } from './stored-attempts.ts';

beforeEach(() => sessionStorage.clear());

test('the same again has the same key, also after a reload; something else, or the same once done, has another', () => {
  const before = storedAttempts('orders');
  const first = before.attemptFor('aspirin');
  expect(before.attemptFor('aspirin')).toEqual(first);
  const reloaded = storedAttempts('orders');
  expect(reloaded.attemptFor('aspirin')).toEqual(first);
  expect(storedAttempts('imports').attemptFor('aspirin').key).not.toBe(first.key);
  expect(reloaded.attemptFor('ibuprofen').key).not.toBe(first.key);
  expect(reloaded.attemptFor('aspirin').key).not.toBe(first.key);
  const last = reloaded.attemptFor('aspirin');
  reloaded.forget();
  expect(storedAttempts('orders').attemptFor('aspirin').key).not.toBe(last.key);
});

test('without storage an attempt lasts as long as the page, and what isn’t an attempt is ignored', () => {
  jest.spyOn(console, 'warn').mockReturnValue();
  for (const stored of ['{', '7', '{"wish":1}']) {
    sessionStorage.setItem('orders', stored);
    expect(storedAttempts('orders').attemptFor('aspirin').key).toBeTruthy();
  }
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Storage is off', 'SecurityError');
  });
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Storage is off', 'SecurityError');
  });
  const attempts = storedAttempts('orders');
  expect(attempts.attemptFor('aspirin')).toEqual(attempts.attemptFor('aspirin'));
});
