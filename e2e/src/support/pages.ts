import { mayOpen } from '@clinic/contracts';
import { pages as pagesOf } from '@clinic/contracts/pages';

/** Window widths at which pages are checked, CSS pixels. */
export const widths = [1280, 1024, 900, 768, 600, 390, 320] as const;

/** Fewer for Firefox and WebKit, whose fonts and controls have other sizes: the layouts are the same in all browsers. */
export const widthsElsewhere = [1280, 768, 320] as const;

/** Who visits; `undefined` is somebody who isn't logged in. */
export const visitors = [undefined, 'patient', 'doctor', 'pharmacist', 'admin'] as const;

/** Pages of domains that publish theirs themselves, by who opens them. */
const published: Readonly<Record<string, readonly string[]>> = {
  visitor: ['/mailbox'],
  patient: ['/dash/notifications'],
  admin: ['/dash/messages', '/dash/messages/kinds', '/dash/messages/webhooks'],
};

/** Pages of domains that publish theirs themselves, which a role may open. */
export function publishedFor(role: (typeof visitors)[number]): readonly string[] {
  return [
    ...(published['visitor'] ?? []),
    ...(role ? (published['patient'] ?? []) : []),
    ...(role === 'admin' ? (published['admin'] ?? []) : []),
  ];
}

/** Each page is opened once, by the first of the visitors who may. */
export function pathsFor(role: (typeof visitors)[number]): string[] {
  const paths: string[] = Object.values(pagesOf)
    .flatMap((pages) => [...pages])
    .filter(({ access }) => visitors.find((one) => mayOpen(access, one)) === role)
    .filter(({ access }) => access === 'everyone' || mayOpen(access, role))
    .map(({ path }) => path)
    .filter((path) => !path.includes(':'));
  paths.push(...(published[role ?? 'visitor'] ?? []));
  return role === undefined ? [...paths, '/login', '/register', '/no/such/page'] : paths;
}
