/** The dashboard menu of each role, in order. */
export const menus = {
  admin: [
    'Calendar',
    'Reception',
    'Waitlist',
    'Appointments',
    'Doctors',
    'Hours and Holidays',
    'Orders',
    'All Medicine',
    'All Users',
    'Invitations',
    'Pharmacists',
    'Overview',
    'History',
    'Messages',
    'Webhooks',
    'Deployments',
  ],
  doctor: ['Calendar', 'Waitlist', 'Records', 'Current Appointment'],
  patient: ['My Appointments', 'Orders', 'Doctors', 'Pharmacy', 'Waitlist'],
  pharmacist: ['Orders', 'Add Medicine', 'All Medicine'],
};
