import { readPage, type Handler, type ServiceContext } from '@clinic/service-kit';
import { collectionsOf } from '../collections.ts';
import { containing } from '../containing.ts';
import { toDoctor } from '../doctors/doctor-record.ts';
import { toPharmacist } from '../pharmacists/pharmacist-record.ts';
import { historyOf } from '../record-change.ts';
import { createProfile, explainDuplicateProfile, type NewProfile } from './create-profile.ts';

/** The calls under /doc-pharma and /pharmacists. */
export function profileHandlers(context: ServiceContext) {
  const collections = collectionsOf(context.db);

  const listPharmacists: Handler<'listPharmacists'> = async ({ query }) =>
    readPage(collections.pharmacists, {
      filter: query.q ? { searchText: containing(query.q) } : {},
      query, sorts: { name: { nameKey: 1, _id: 1 } }, defaultSort: 'name', map: toPharmacist,
    });

  const create: Handler<'createProfile'> = async (request) => {
    const profile: NewProfile = { collections, profile: request.body, now: new Date(), recordChange: historyOf(context, request) };
    try {
      return await context.inTransaction((session) => createProfile(profile, session));
    } catch (error) {
      throw explainDuplicateProfile(error, profile);
    }
  };

  const getProfiles: Handler<'getProfiles'> = async ({ params }) => {
    const doctor = await collections.doctors.findOne({ email: params.email });
    return doctor ? [toDoctor(doctor)] : [];
  };

  return { listPharmacists, createProfile: create, getProfiles };
}
