/** A user as the services list them, with a confirmed address. */
export const userNamed = (letter: string, firstName: string, email: string, role = 'patient') => ({
  _id: letter.repeat(24),
  firstName,
  lastName: 'Lee',
  email,
  phone: '+880 1555 010999',
  dateOfBirth: '1990-01-01',
  role,
});
