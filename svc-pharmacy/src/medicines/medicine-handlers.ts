import { isDeepStrictEqual } from 'node:util';
import {
  ProblemError,
  once,
  readHistory,
  readPage,
  sharedList,
  type Handler,
  type ServiceRequest,
} from '@clinic/service-kit';
import type { Medicine } from '../contract/schemas.ts';
import { ObjectId } from 'mongodb';
import { collectionsOf, type PharmacyCollections } from '../collections.ts';
import { historyView } from '../history/history-view.ts';
import { changeOf, clinicToday } from '../pharmacy-change.ts';
import type { KeyedLocks } from '../orders/keyed-locks.ts';
import { heldUnits } from '../orders/open-orders.ts';
import type { PharmacyContext } from '../settings.ts';
import { addMedicine } from './add-medicine.ts';
import { assertNumbersFree, importMedicines as addImported } from './import-medicines.ts';
import { medicineSorts, shownMedicines } from './list-medicines.ts';
import { medicineEtag } from './medicine-etag.ts';
import { withNextMedicineNumber } from './medicine-number.ts';
import { toMedicine, type MedicineRecord } from './medicine-record.ts';
import { updateMedicine as updateRecord } from './update-medicine.ts';

/** Handlers of the calls under /medicine. */
export function medicineHandlers(context: PharmacyContext, locks: KeyedLocks) {
  const collections = collectionsOf(context.db);
  const toWire = (record: Omit<MedicineRecord, 'nameParts'>): Medicine =>
    toMedicine(record, context.settings.PHARMACY_UNITS_PER_CUSTOMER);

  const readMedicines = sharedList((query: ServiceRequest<'listMedicines'>['query']) =>
    readPage(collections.medicines, {
      query,
      ...shownMedicines(query, clinicToday(context)),
      sorts: medicineSorts,
      defaultSort: query.expiry ? 'expiry' : 'name',
      map: toWire,
      unread: ['nameParts'],
    }),
  );

  const checkMedicineImport: Handler<'checkMedicineImport'> = async ({ body }) => {
    await assertNumbersFree(collections, body.medicines);
    return { acceptable: body.medicines.length };
  };

  const importMedicines: Handler<'importMedicines'> = (request) =>
    once(context, request, async (session) => {
      const { body, caller } = request;
      return { added: await addImported(changeOf(context, request, session), body.medicines, caller) };
    });

  const getMedicine: Handler<'getMedicine'> = async ({ params, res }) => {
    const record = await medicineById(collections, params.id);
    // With it the reader can update exactly the version they have seen.
    res.setHeader('ETag', medicineEtag(record));
    return { ...toWire(record), held: await heldUnits(collections, record.medicineId) };
  };

  const updateMedicine: Handler<'updateMedicine'> = async (request) => {
    const { params, body, req, res } = request;
    const { medicineId } = await medicineById(collections, params.id);
    let etag: string | undefined;
    const answer = await locks.take([medicineId], () =>
      once(context, request, async (session) => {
        const change = changeOf(context, request, session);
        const record = await updateRecord(change, new ObjectId(params.id), body, req.get('if-match'));
        etag = medicineEtag(record);
        return toWire(record);
      }),
    );
    res.setHeader('ETag', etag ?? etagOfFirst(answer, await medicineById(collections, params.id), toWire));
    return answer;
  };

  const getMedicineHistory: Handler<'getMedicineHistory'> = async ({ params, caller }) => {
    const { _id } = await medicineById(collections, params.id);
    const record = { type: 'medicine', id: _id.toHexString() };
    return readHistory(context, { ...historyView, record, reader: caller });
  };

  return {
    listMedicines: ({ query }: ServiceRequest<'listMedicines'>) => readMedicines(query),
    addMedicine: (request: ServiceRequest<'addMedicine'>) => addNumbered(context, request, toWire),
    checkMedicineImport,
    importMedicines,
    getMedicine,
    updateMedicine,
    getMedicineHistory,
  };
}

/** A repeated request gets the first answer; its version is over if somebody has edited the medicine since. */
function etagOfFirst(first: Medicine, record: MedicineRecord, toWire: (record: MedicineRecord) => Medicine): string {
  const stated = ({ medicine: { quantity: _stock, ...details } }: Medicine): unknown => details;
  return isDeepStrictEqual(stated(toWire(record)), stated(first)) ? medicineEtag(record) : '"edited since"';
}

/** @throws ProblemError not_found */
export async function medicineById({ medicines }: PharmacyCollections, id: string): Promise<MedicineRecord> {
  const record = await medicines.findOne({ _id: new ObjectId(id) });
  if (!record) throw new ProblemError('not_found', { detail: 'We can’t find this medicine.' });
  return record;
}

/** Adds a medicine under the number in the request, or else the next free one. */
function addNumbered(
  context: PharmacyContext,
  request: ServiceRequest<'addMedicine'>,
  toWire: (record: MedicineRecord) => Medicine,
): Promise<Medicine> {
  const { medicine, addedDate } = request.body;
  const addAs = (medicineId: string) =>
    once(context, request, async (session) =>
      toWire(
        await addMedicine(changeOf(context, request, session), {
          ...medicine,
          medicineId,
          addedDate,
          pharmacistEmail: request.caller.email,
          pharmacistId: request.caller.id,
        }),
      ),
    );
  return medicine.medicineId ? addAs(medicine.medicineId) : withNextMedicineNumber(collectionsOf(context.db), addAs);
}
