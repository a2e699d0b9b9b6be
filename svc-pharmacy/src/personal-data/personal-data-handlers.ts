import { about, erasureHandler, exportedPerson, listLooks, type Handler } from '@clinic/service-kit';
import type { PharmacyContext } from '../settings.ts';
import { exportPerson } from './export-person.ts';

/** Handlers of the calls about all data of one person. */
export function personalDataHandlers(context: PharmacyContext) {
  const exportPharmacyData: Handler<'exportPharmacyData'> = async ({ query, caller }) => {
    const person = await exportedPerson(context, query.email, caller, query.userId);
    return about(person, exportPerson(context, person));
  };
  const listPharmacyLooks: Handler<'listPharmacyLooks'> = ({ query, caller }) =>
    listLooks(context, query, caller, { email: query.email });
  const erasePharmacyData: Handler<'erasePharmacyData'> = erasureHandler(context);
  return { exportPharmacyData, erasePharmacyData, listPharmacyLooks };
}
