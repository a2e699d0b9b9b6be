import { rememberedPlace, rememberPlace } from './remembered-place.ts';

describe('the page to return to after login', () => {
  it('is the page that the guard stopped, with query and hash', () => {
    const place = rememberPlace({ pathname: '/dash/orders', search: '?q=a//b', hash: '#top' });
    expect(rememberedPlace(place)).toBe('/dash/orders?q=a//b#top');
    expect(rememberedPlace({ from: '/' })).toBe('/');
  });

  it('is never another site or a script, whatever is in the history entry', () => {
    const elsewhere = [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      ' //evil.example',
      'evil.example',
      'dash',
      '',
      '/dash\\..\\',
      '@evil.example',
      ':@evil.example',
    ];
    for (const from of elsewhere) expect([from, rememberedPlace({ from })]).toEqual([from, undefined]);
    for (const state of [null, undefined, 'x', 1, [], {}, { from: 1 }, { from: null }, { from: ['/'] }])
      expect(rememberedPlace(state)).toBeUndefined();
  });
});
