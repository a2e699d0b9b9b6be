/** The four roles of the product. */
export const roles = ['admin', 'doctor', 'patient', 'pharmacist'] as const;

/** A signed-in person's role at the clinic; it decides pages, menus and calls. */
export type Role = (typeof roles)[number];

/**
 * What an admin lets a member of staff do beside their role. `reception`: everybody's calendar, bookings and waitlist.
 * `stock`: the medicines, without orders. Admins need none.
 */
export const rights = ['reception', 'stock'] as const;
export type Right = (typeof rights)[number];

/** How a right is shown. */
export const rightLabels: Readonly<Record<Right, string>> = { reception: 'Reception', stock: 'Stock' };

/** Whether somebody works at the clinic: by role, by a right, or by one that doesn't count yet. */
export const isStaff = (person: {
  readonly role: Role;
  readonly rights?: readonly string[] | undefined;
  readonly held?: object | undefined;
}): boolean => person.role !== 'patient' || (person.rights?.length ?? 0) > 0 || person.held !== undefined;

/** How a role is shown on screen. 'Pharmasicts' is a fixed text (docs/product.md, Texts). */
export const roleLabels: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  doctor: 'Doctor',
  patient: 'Patient',
  pharmacist: 'Pharmasicts',
};

/** Where /dash redirects each role. */
const landingPages: Readonly<Record<Role, string>> = {
  admin: '/dash/admin',
  doctor: '/dash/doctorAppoinments',
  patient: '/dash/patient',
  pharmacist: '/dash/orders',
};

/** Where /dash redirects a role: one that this build doesn't know, from a newer release, to the person's account. */
export const landingPageOf = (role: Role): string =>
  Object.hasOwn(landingPages, role) ? landingPages[role] : '/dash/account';
