import { remoteNamed } from '../testing/remotes.ts';
import { integrityOf, knowRemotes } from './integrity.ts';

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
});
