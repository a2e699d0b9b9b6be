import { internal, type CopyRules, type DeletionRules } from '@clinic/service-kit';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { account, forSearch } from './internal-fields.ts';

/** The profile itself is deleted; these rules are for its history. */
export const doctorProfileDeleted: DeletionRules<DoctorRecord> = {
  _id: 'kept',
  name: 'emptied',
  email: 'emptied',
  qualification: 'kept',
  education: 'kept',
  specialization: 'kept',
  experience: 'kept',
  location: 'emptied',
  image: 'emptied',
  isAvailable: 'kept',
  availableTimes: 'kept',
  hours: 'emptied',
  daysOff: 'kept',
  rating: 'kept',
  nameKey: 'emptied',
  specialtyKey: 'emptied',
  searchText: 'emptied',
  searchParts: 'emptied',
  createdAt: 'kept',
  accountId: 'kept',
  suspended: 'kept',
  bookedWithoutAccount: 'kept',
};

export const doctorInCopy: CopyRules<DoctorRecord> = {
  _id: '_id',
  name: 'name',
  email: 'email',
  qualification: 'qualification',
  education: 'education',
  specialization: 'specialization',
  experience: 'experience',
  location: 'location',
  image: 'image',
  isAvailable: 'isAvailable',
  availableTimes: 'availableTimes',
  hours: 'hours',
  daysOff: 'daysOff',
  rating: 'rating',
  nameKey: forSearch,
  specialtyKey: forSearch,
  searchText: forSearch,
  searchParts: forSearch,
  createdAt: internal('the history says when the profile was created'),
  accountId: account,
  suspended: internal('included in isAvailable'),
  bookedWithoutAccount: internal('a counter for concurrent writes'),
};

/** The profile itself is deleted; these rules are for its history. */
export const pharmacistProfileDeleted: DeletionRules<PharmacistRecord> = {
  _id: 'kept',
  name: 'emptied',
  email: 'emptied',
  phone: 'emptied',
  status: 'kept',
  qualification: 'kept',
  specialization: 'kept',
  experience: 'kept',
  nameKey: 'emptied',
  searchText: 'emptied',
  searchParts: 'emptied',
  createdAt: 'kept',
  accountId: 'kept',
};

export const pharmacistInCopy: CopyRules<PharmacistRecord> = {
  _id: '_id',
  name: 'name',
  email: 'email',
  phone: 'phone',
  status: 'status',
  qualification: 'qualification',
  specialization: 'specialization',
  experience: 'experience',
  nameKey: forSearch,
  searchText: forSearch,
  searchParts: forSearch,
  createdAt: internal('the history says when the profile was created'),
  accountId: account,
};
