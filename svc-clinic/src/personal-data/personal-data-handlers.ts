import { erasureHandler, exportedPerson, listLooks, noteLooks, type Handler } from '@clinic/service-kit';
import type { ClinicContext } from '../settings.ts';
import { exportPerson } from './export-person.ts';

/** Handlers of the calls about all data of one person. */
export function personalDataHandlers(context: ClinicContext) {
  const looks = noteLooks(context);
  const exportClinicData: Handler<'exportClinicData'> = async (request) => {
    const person = await exportedPerson(context, request.query.email, request.caller);
    return looks.exported(request, 'appointments', exportPerson(context, person), person);
  };
  const listClinicLooks: Handler<'listClinicLooks'> = ({ query, caller }) =>
    listLooks(context, query, caller, { email: query.email });
  const eraseClinicData: Handler<'eraseClinicData'> = erasureHandler(context);
  return { exportClinicData, eraseClinicData, listClinicLooks };
}
