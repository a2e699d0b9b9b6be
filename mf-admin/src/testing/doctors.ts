/** An id of one repeated letter or digit. */
export const idOf = (letter: string): string => letter.repeat(24);

/** A doctor's profile as the services send it: available, without working times. */
export const doctorNamed = (letter: string, name: string, email: string, specialization: string) => ({
  _id: idOf(letter),
  id: idOf(letter),
  name,
  email,
  specialization,
  specialty: specialization,
  isAvailable: true,
  availableTimes: [],
  daysOff: [],
  qualification: '',
  education: '',
  experience: 1,
  location: '',
  image: '',
  rating: 0,
  nextFree: null,
});
