import { mayOpen, type PageDescriptor, type Registry, type Role } from '@clinic/contracts';

/** One entry of the top bar. */
export interface TopBarLine {
  readonly to: string;
  readonly label: string;
}

type Entry = Pick<PageDescriptor, 'path' | 'access' | 'topBar'>;

/**
 * Entries for builds from before remotes published them, by remote. Also used for a configured remote that is unavailable
 * and hasn't published any yet.
 */
const unpublished: Readonly<Record<string, readonly Entry[]>> = {
  'mf-public': [
    { path: '/ourDoctors', access: 'everyone', topBar: { label: 'Doctors', order: 10 } },
    { path: '/about', access: 'everyone', topBar: { label: 'About', order: 30 } },
  ],
  'mf-pharmacy': [{ path: '/medicinestore', access: 'everyone', topBar: { label: 'Pharmacy', order: 20 } }],
};

/**
 * The top bar between Dashboard and Login: the remotes' entries whose page the visitor may open.
 *
 * @param role - `undefined`: a visitor who isn't signed in
 */
export function topBarEntries({ remotes, away }: Registry, role: Role | undefined): readonly TopBarLine[] {
  const known = remotes.flatMap(({ name, pages }): readonly Entry[] =>
    pages.map((page) => ({ ...unpublished[name]?.find(({ path }) => path === page.path), ...page })),
  );
  return [...known, ...away.flatMap((name) => unpublished[name] ?? [])]
    .flatMap(({ path, access, topBar }) => (topBar && mayOpen(access, role) ? [{ to: path, ...topBar }] : []))
    .toSorted((a, b) => a.order - b.order)
    .map(({ to, label }) => ({ to, label }));
}
