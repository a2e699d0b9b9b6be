import * as appKit from '@clinic/app-kit';
import { contractVersion } from '@clinic/contracts';
import * as ui from '@clinic/ui';
import * as charts from '@clinic/ui/charts';
import surface from './surface.json';

const provided: Readonly<Record<string, object>> = { '@clinic/app-kit': appKit, '@clinic/ui': ui, '@clinic/ui/charts': charts };

/**
 * What remotes that are deployed already may use of the shell. A name that goes would break them where nobody looks, in the
 * page of a remote that nobody has touched: whoever takes one away raises the contract version in
 * packages/contracts/src/remotes.ts, and writes the list anew. Names that are new join it with each release (`npm run release:freeze`).
 */
describe('what the shell provides to remotes', () => {
  it('is listed for the present contract version', () => {
    expect(surface.contractVersion).toBe(contractVersion);
  });

  it.each(Object.entries(surface.names))('still has every name of %s', (library, names) => {
    const here = Object.keys(provided[library] ?? {});
    expect(names.filter((name) => !here.includes(name))).toEqual([]);
  });
});
