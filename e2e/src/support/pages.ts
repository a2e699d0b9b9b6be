import { mayOpen, type PageDescriptor } from '@clinic/contracts';
import adminRemote from '../../../mf-admin/remote.config.ts';
import clinicRemote from '../../../mf-clinic/remote.config.ts';
import messagesRemote from '../../../mf-messages/remote.config.ts';
import pharmacyRemote from '../../../mf-pharmacy/remote.config.ts';
import publicRemote from '../../../mf-public/remote.config.ts';

/** Window widths at which pages are checked, CSS pixels. */
export const widths = [1280, 1024, 900, 768, 600, 390, 320] as const;

/** Fewer for Firefox and WebKit, whose fonts and controls have other sizes: the layouts are the same in all browsers. */
export const widthsElsewhere = [1280, 768, 320] as const;

/** Who visits; `undefined` is somebody who isn't logged in. */
export const visitors = [undefined, 'patient', 'doctor', 'pharmacist', 'admin'] as const;

/** All remotes' pages. */
export const everyPage: readonly PageDescriptor[] = [
  publicRemote,
  clinicRemote,
  pharmacyRemote,
  adminRemote,
  messagesRemote,
].flatMap(({ pages }) => pages);

/** Each page is opened once, by the first of the visitors who may. */
export function pathsFor(role: (typeof visitors)[number]): string[] {
  const paths = everyPage
    .filter(({ access }) => visitors.find((one) => mayOpen(access, one)) === role)
    .filter(({ access }) => access === 'everyone' || mayOpen(access, role))
    .map(({ path }) => path)
    .filter((path) => !path.includes(':'));
  return role === undefined ? [...paths, '/login', '/register', '/no/such/page'] : paths;
}
