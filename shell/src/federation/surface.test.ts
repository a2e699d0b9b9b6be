import * as appKit from '@clinic/app-kit/whole';
import * as records from '@clinic/app-kit/records';
import { contractVersion } from '@clinic/contracts';
import { remoteWindow } from '@clinic/contracts/window/remotes';
import * as ui from '@clinic/ui/whole';
import * as charts from '@clinic/ui/charts';
import * as tables from '@clinic/ui/tables';
import surface from './surface.json';

const provided: Readonly<Record<string, object>> = {
  '@clinic/app-kit': appKit,
  '@clinic/app-kit/records': records,
  '@clinic/ui': ui,
  '@clinic/ui/charts': charts,
  '@clinic/ui/tables': tables,
};

/**
 * Exports of the shell that deployed remotes may use. Removing a name breaks pages of remotes that nobody has changed:
 * it stays while a contract version that has it is accepted (packages/contracts/src/window). Each release adds its new names
 * (`npm run release:freeze`).
 */
describe('what the shell provides to remotes', () => {
  it('is listed for an accepted contract version', () => {
    expect(surface.contractVersion).toBeGreaterThanOrEqual(remoteWindow.oldest);
    expect(surface.contractVersion).toBeLessThanOrEqual(contractVersion);
  });

  it.each(Object.entries(surface.names))('still has every name of %s', (library, names) => {
    const here = Object.keys(provided[library] ?? {});
    expect(names.filter((name) => !here.includes(name))).toEqual([]);
  });
});
