/** The four roles of the product (specification section 6). */
export const roles = ['admin', 'doctor', 'patient', 'pharmacist'] as const;

/** What a signed-in person is to the clinic; it decides pages, menus and calls. */
export type Role = (typeof roles)[number];

/**
 * How a role is written on screen. 'Pharmasicts' is the product's own spelling (specification section 4).
 */
export const roleLabels: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  doctor: 'Doctor',
  patient: 'Patient',
  pharmacist: 'Pharmasicts',
};

/** Where each role lands after /dash (specification section 2). */
export const landingPages: Readonly<Record<Role, string>> = {
  admin: '/dash/admin',
  doctor: '/dash/doctorAppoinments',
  patient: '/dash/patient',
  pharmacist: '/dash/orders',
};
