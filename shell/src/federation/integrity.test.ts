import type { RegisteredRemote } from '@clinic/contracts';
import { integrityOf, knowRemotes } from './integrity.ts';

const remote = (baseUrl: string, integrity?: Record<string, string>): RegisteredRemote => ({
  name: 'mf-clinic', container: 'mf_clinic', version: '1.0.0', contractVersion: 1, title: 'Clinic', pages: [], redirects: [], preload: ['entry.js'], styles: [], baseUrl, ...(integrity && { integrity }),
});
const refused = `sha256-${'A'.repeat(43)}=`;

describe('what a file must be', () => {
  beforeEach(() => knowRemotes({ remotes: [remote('/mf/mf-clinic/', { 'entry.js': 'sha256-x' }), remote('/mf/mf-silent/'), remote('http://localhost:4103/')], away: [] }));

  it('is what its build says', () => {
    expect(integrityOf('http://localhost/mf/mf-clinic/entry.js')).toBe('sha256-x');
  });

  it('is nothing that exists where its build doesn’t name it', () => {
    for (const file of ['mf/mf-clinic/other.js', 'mf/mf-silent/entry.js', 'shell/other.js']) expect(integrityOf(`http://localhost/${file}`)).toBe(refused);
  });

  it('is anything for a developer’s own build that says nothing', () => {
    expect(integrityOf('http://localhost:4103/entry.js')).toBe('');
  });
});
