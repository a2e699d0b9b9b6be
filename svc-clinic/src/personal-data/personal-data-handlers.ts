import { about, erasureHandler, exportedPerson, listLooks, type Handler } from '@clinic/service-kit';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { erasePerson } from './erase-person.ts';
import { exportPerson } from './export-person.ts';

/** Handlers of the calls about all data of one person. */
export function personalDataHandlers(context: ClinicContext) {
  const exportClinicData: Handler<'exportClinicData'> = async (request) => {
    const person = exportedPerson(request.query.email, request.caller);
    return about(person, exportPerson(context, person));
  };
  const listClinicLooks: Handler<'listClinicLooks'> = ({ query, caller }) =>
    listLooks(context, query, caller, { email: query.email });
  const eraseClinicData: Handler<'eraseClinicData'> = erasureHandler(context, (request, until) =>
    erasePerson(context, request.body, historyRecorder(context, request), until),
  );
  return { exportClinicData, eraseClinicData, listClinicLooks };
}
