import { remoteNamed } from '../testing/remotes.ts';
import { hashesOf, integrityOf, knowRemotes } from './integrity.ts';

const rejected = `sha256-${'A'.repeat(43)}=`;

describe('the expected hash of a file', () => {
  beforeEach(() =>
    knowRemotes({
      remotes: [
        remoteNamed('mf-clinic', { integrity: { 'entry.js': 'sha256-x' } }),
        remoteNamed('mf-silent'),
        remoteNamed('mf-local', { baseUrl: 'http://localhost:4103/' }),
      ],
      away: [],
    }),
  );

  it('comes from its build', () => {
    expect(integrityOf('http://localhost/mf/mf-clinic/entry.js')).toBe('sha256-x');
  });

  it('can’t be met if the build doesn’t list the file', () => {
    for (const file of ['mf/mf-clinic/other.js', 'mf/mf-silent/entry.js', 'shell/other.js'])
      expect(integrityOf(`http://localhost/${file}`)).toBe(rejected);
  });

  it('isn’t required of a developer’s own build without hashes', () => {
    expect(integrityOf('http://localhost:4103/entry.js')).toBe('');
  });

  describe('in the file of its build', () => {
    const href = 'http://localhost/mf/mf-late/page.js';
    const hashes = { file: 'hashes.0123.json', integrity: 'sha384-y' };
    const answers: (() => Promise<unknown>)[] = [];
    const asked: unknown[] = [];

    beforeEach(() => {
      asked.length = 0;
      jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      globalThis.fetch = ((...args: unknown[]) => {
        asked.push(args[0], (args[1] as RequestInit).integrity);
        return answers.shift()?.();
      }) as typeof fetch;
      knowRemotes({ remotes: [remoteNamed('mf-late', { integrity: { 'entry.js': 'sha256-x' }, hashes })], away: [] });
    });

    it('comes from an earlier build’s file for what still runs of it', async () => {
      const file = (name: string) => () =>
        Promise.resolve({ ok: true, json: () => Promise.resolve({ [name]: 'sha384-z' }) });
      for (const build of ['0123', '4567'])
        knowRemotes({
          remotes: [remoteNamed('mf-twice', { hashes: { file: `hashes.${build}.json`, integrity: 'sha384-w' } })],
          away: [],
        });
      answers.push(file('page.later.js'), file('page.before.js'));
      await hashesOf(['/mf/mf-twice/page.before.js']);
      expect(asked.filter((_, index) => index % 2 === 0)).toEqual([
        '/mf/mf-twice/hashes.4567.json',
        '/mf/mf-twice/hashes.0123.json',
      ]);
      expect(integrityOf('http://localhost/mf/mf-twice/page.before.js')).toBe('sha384-z');
    });

    it('isn’t waited for if the page has it', async () => {
      await hashesOf(['/mf/mf-late/entry.js']);
      expect(asked).toEqual([]);
    });

    it('is only taken from the file that the page names, and asked for again after a failure', async () => {
      answers.push(() => Promise.reject(new TypeError('integrity mismatch')));
      await hashesOf([href]);
      expect(integrityOf(href)).toBe(rejected);
      answers.push(() => Promise.resolve({ ok: true, json: () => Promise.resolve({ 'page.js': 'sha384-z' }) }));
      await hashesOf([href, '/mf/mf-late/other.js']);
      expect(integrityOf(href)).toBe('sha384-z');
      expect(integrityOf('http://localhost/mf/mf-late/other.js')).toBe(rejected);
      const request = ['/mf/mf-late/hashes.0123.json', 'sha384-y'];
      expect(asked).toEqual([...request, ...request]);
    });
  });
});
