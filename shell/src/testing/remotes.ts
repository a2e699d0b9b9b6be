import { contractVersion, type RegisteredRemote } from '@clinic/contracts';

/** A remote as the gateway lists it: without pages unless `more` has some. */
export const remoteNamed = (name: string, more: Partial<RegisteredRemote> = {}): RegisteredRemote => ({
  name,
  container: name.replaceAll('-', '_'),
  version: '1.0.0',
  contractVersion,
  title: name,
  pages: [],
  redirects: [],
  preload: ['entry.js'],
  styles: [],
  integrity: {},
  baseUrl: `/mf/${name}/`,
  ...more,
});
