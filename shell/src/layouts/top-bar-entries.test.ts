import type { PageDescriptor, RegisteredRemote, Registry } from '@clinic/contracts';
import admin from '../../../mf-admin/remote.config.ts';
import clinic from '../../../mf-clinic/remote.config.ts';
import pharmacy from '../../../mf-pharmacy/remote.config.ts';
import publicSite from '../../../mf-public/remote.config.ts';
import { remoteNamed } from '../testing/remotes.ts';
import { topBarEntries } from './top-bar-entries.ts';

const remote = (name: string, offered: readonly PageDescriptor[]) => remoteNamed(name, { pages: offered });
const product = [publicSite, clinic, pharmacy, admin].map(({ name, pages }) => remote(name, pages));
const registry = (remotes: readonly RegisteredRemote[], away: readonly string[] = []): Registry => ({ remotes, away });
const labels = (from: Registry, role?: Parameters<typeof topBarEntries>[1]): string[] =>
  topBarEntries(from, role).map(({ label, to }) => `${label} ${to}`);

const specified = ['Doctors /ourDoctors', 'Pharmacy /medicinestore', 'About /about'];

test('has the specified entries in order, whichever remote registers first', () => {
  expect(labels(registry(product))).toEqual(specified);
  expect(labels(registry(product.toReversed()), 'admin')).toEqual(specified);
});

test('has the same entries if the remotes are of the previous release, which publishes none', () => {
  const before = product.map((one) => ({ ...one, pages: one.pages.map(({ topBar: _topBar, ...page }) => page) }));
  expect(labels(registry(before))).toEqual(specified);
});

test('drops entries of a removed remote, and keeps those of one that is briefly unavailable', () => {
  const others = product.filter(({ name }) => name !== 'mf-pharmacy');
  expect(labels(registry(others))).toEqual(['Doctors /ourDoctors', 'About /about']);
  expect(labels(registry(others, ['mf-pharmacy', 'mf-lab-results']))).toEqual(specified);
});

test('adds entries of a new remote, for people who may open them', () => {
  const lab = remote('mf-lab', [
    {
      path: '/lab',
      layout: 'public',
      access: 'everyone',
      title: 'Laboratory',
      topBar: { label: 'Laboratory', order: 25 },
    },
    { path: '/lab/rota', layout: 'guarded', access: ['doctor'], title: 'Rota', topBar: { label: 'Rota', order: 26 } },
  ]);
  expect(labels(registry([...product, lab]))).toEqual([
    'Doctors /ourDoctors',
    'Pharmacy /medicinestore',
    'Laboratory /lab',
    'About /about',
  ]);
  expect(labels(registry([...product, lab]), 'doctor')).toEqual([
    'Doctors /ourDoctors',
    'Pharmacy /medicinestore',
    'Laboratory /lab',
    'Rota /lab/rota',
    'About /about',
  ]);
});
