import { about, erasureHandler, exportedPerson, listLooks, type Handler } from '@clinic/service-kit';
import type { ClinicContext } from '../settings.ts';
import { deletePatient } from './delete-patient.ts';
import { exportPerson } from './export-person.ts';

/** Handlers of the calls about all data of one person. */
export function personalDataHandlers(context: ClinicContext) {
  const exportClinicData: Handler<'exportClinicData'> = async ({ query, caller }) => {
    const person = await exportedPerson(context, query.email, caller, query.userId);
    return about(person, exportPerson(context, person));
  };
  const listClinicLooks: Handler<'listClinicLooks'> = ({ query, caller }) =>
    listLooks(context, query, caller, { email: query.email });
  const eraseClinicData: Handler<'eraseClinicData'> = erasureHandler(context);
  const erasePatient: Handler<'erasePatient'> = (request) => deletePatient(context, request);
  return { exportClinicData, eraseClinicData, erasePatient, listClinicLooks };
}
