import { internal, type CopyRules, type DeletionRules } from '@clinic/service-kit';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { account, each, forSearch, underTheirNames } from './field-rules.ts';

/** The profile itself is deleted; these rules are for its history. */
export const doctorProfileDeleted: DeletionRules<DoctorRecord> = {
  ...each('kept', '_id', 'qualification', 'education', 'specialization', 'experience', 'isAvailable'),
  ...each('kept', 'availableTimes', 'daysOff', 'rating', 'createdAt', 'accountId', 'suspended'),
  ...each('kept', 'bookedWithoutAccount'),
  ...each('emptied', 'name', 'email', 'location', 'image', 'hours', 'nameKey', 'specialtyKey', 'searchText'),
  ...each('emptied', 'searchParts'),
};

export const doctorInCopy: CopyRules<DoctorRecord> = {
  ...underTheirNames('_id', 'name', 'email', 'qualification', 'education', 'specialization', 'experience'),
  ...underTheirNames('location', 'image', 'isAvailable', 'availableTimes', 'hours', 'daysOff', 'rating'),
  ...each(forSearch, 'nameKey', 'specialtyKey', 'searchText', 'searchParts'),
  accountId: account,
  createdAt: internal('the history says when the profile was created'),
  suspended: internal('included in isAvailable'),
  bookedWithoutAccount: internal('a counter for concurrent writes'),
};

/** The profile itself is deleted; these rules are for its history. */
export const pharmacistProfileDeleted: DeletionRules<PharmacistRecord> = {
  ...each('kept', '_id', 'status', 'qualification', 'specialization', 'experience', 'createdAt', 'accountId'),
  ...each('emptied', 'name', 'email', 'phone', 'nameKey', 'searchText', 'searchParts'),
  phoneE164: 'removed',
};

export const pharmacistInCopy: CopyRules<PharmacistRecord> = {
  ...underTheirNames('_id', 'name', 'email', 'phone', 'status', 'qualification', 'specialization', 'experience'),
  phoneE164: 'phoneE164',
  ...each(forSearch, 'nameKey', 'searchText', 'searchParts'),
  accountId: account,
  createdAt: internal('the history says when the profile was created'),
};
