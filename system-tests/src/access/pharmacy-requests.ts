import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { type ClinicRecords, missing, patientProfile } from './clinic-records.ts';
import { ofPatient, page, plain, type Request, type Requests } from './request.ts';
import { keepsLong } from '../support/orderable.ts';

const newMedicine = (number: number) => ({
  medicine: {
    name: `Matrix medicine ${number}`,
    manufacturer: 'Test Labs',
    quantity: 5,
    unit: 'box',
    expiryDate: '2999-01-01',
    pricePerUnit: 1.5,
  },
});

/** Requests for each call of svc-pharmacy. */
export async function pharmacyRequests(records: ClinicRecords) {
  const { as, anyone, deleted, nextNumber } = records;
  const [medicine = missing('a medicine in stock')] = (
    await readJson<Medicine[]>(anyone('pharmacy')('/medicine'))
  ).filter(
    ({ status, medicine: { quantity, expiryDate, prescriptionOnly } }) =>
      !prescriptionOnly && status === 'in stock' && Number(quantity.$numberInt) >= 100 && keepsLong(expiryDate),
  );
  const orderBody = {
    items: [{ medicineId: medicine.medicine.medicineId, quantity: 1 }],
    deliveryAddress: '12 Lake Road',
    customeremail: ofPatient.email,
    customerPhone: patientProfile.phone,
  };
  const order = async (): Promise<Order> =>
    readJson((await as(ofPatient.email))('pharmacy')('/orderMedi', { method: 'POST', json: orderBody }));
  const aboutOrder = async (body?: Request['body']): Promise<Request> => {
    const record = await order();
    return { params: { id: record._id }, record, ...(body && { body }) };
  };
  const aMedicine = { params: { id: medicine._id.$oid } };
  const importBody = () => ({ medicines: [newMedicine(nextNumber()).medicine] });

  return {
    listMedicines: plain(page),
    addMedicine: () => Promise.resolve({ body: newMedicine(nextNumber()) }),
    checkMedicineImport: () => Promise.resolve({ body: importBody() }),
    importMedicines: () => Promise.resolve({ body: importBody() }),
    reportStock: plain(),
    listStockRequests: plain(),
    // It is in stock, so nobody needs to ask.
    askAboutStock: plain({ ...aMedicine, letIn: 409 }),
    stopAskingAboutStock: plain(aMedicine),
    checkStock: plain(),
    adjustStock: plain({ ...aMedicine, body: { by: 1, reason: 'counted' } }),
    listMovements: plain({ ...aMedicine, query: { limit: '1' } }),
    getMedicine: plain(aMedicine),
    updateMedicine: plain({ ...aMedicine, body: { restock: 1 } }),
    listOrders: plain({ query: { ...ofPatient, limit: '1' } }),
    'listOrders of all': plain(page),
    watchPharmacy: plain(),
    reportOrders: plain(),
    placeOrder: plain({ body: orderBody }),
    enterCounterOrder: plain({
      body: {
        ...orderBody,
        recipientName: 'Matrix Patient',
        prescription: { date: '2006-01-15', prescriber: 'Dr. Matrix' },
      },
    }),
    changeOrderStatus: () => aboutOrder({ newStatus: 'Cancelled' }),
    getMedicineHistory: plain(aMedicine),
    getOrderHistory: () => aboutOrder(),
    listPharmacyLooks: plain({ query: ofPatient }),
    exportPharmacyData: plain({ query: ofPatient }),
    erasePharmacyData: plain({ body: { email: deleted, userId: 'd'.repeat(24) } }),
    listPharmacyEvents: plain(page),
  } satisfies Requests;
}
