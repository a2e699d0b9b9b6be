import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { request as requests, type APIRequestContext } from '@playwright/test';
import { dayFromNow } from './days.ts';
import { expectOk, ours, registerPatient, signIn, type Patient } from './people.ts';

/** Together with the demo's they fill a page, and no more: other tests look for theirs on the first page. */
const appointmentsBooked = 14;
const ordersPlaced = 8;
const longFirst = 'Maximiliana-Konstantina';
const longLast = 'Featherstonehaugh-Wolfeschlegelsteinhausen';
const longAddress =
  'Flat 14C, The Extraordinarily Long Residence Building, 128/A Satmasjid Road, Dhanmondi, Dhaka 1209';

/**
 * Fills the lists: somebody with a long name and address has many appointments with the demo's doctor and many orders.
 */
export async function fillLists(baseURL: string | undefined): Promise<Patient> {
  const api = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  const doctor = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  const pharmacist = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  const person = await registerPatient(api, longFirst, 'wolfeschlegelstein.hausenbergerdorff', longLast);
  await signIn(api, person);
  await signIn(doctor, { email: demoAccounts.doctor, password: demoPassword });
  await signIn(pharmacist, { email: demoAccounts.pharmacist, password: demoPassword });
  await addMedicine(pharmacist);
  await confirmMost(doctor, await book(api, person));
  await order(api, person, pharmacist);
  await api.dispose();
  await doctor.dispose();
  await pharmacist.dispose();
  return person;
}

async function addMedicine(api: APIRequestContext): Promise<void> {
  await expectOk(
    await api.post('/medicine', {
      data: {
        pharmacistEmail: demoAccounts.pharmacist,
        medicine: {
          name: 'Hydroxyethylcellulose-Pseudoephedrinehydrochloride forte 1,000 mg prolonged-release',
          manufacturer: 'The Worldwide Pharmaceutical Manufacturing Company (Bangladesh) Limited',
          quantity: 123_456,
          unit: 'tablet',
          expiryDate: dayFromNow(20),
          pricePerUnit: 12_345.67,
        },
        addedDate: dayFromNow(0),
        status: 'in stock',
      },
    }),
  );
}

async function book(api: APIRequestContext, person: Patient): Promise<readonly Appointment[]> {
  const doctors = (await (await api.get('/doctors')).json()) as readonly Doctor[];
  const doctor = doctors.find(({ email }) => email === demoAccounts.doctor);
  if (!doctor) throw new Error('The demo has no doctor');
  // Before the days that other tests book, so that the doctor's lists start with these.
  const booked: Appointment[] = [];
  for (let day = 3; booked.length < appointmentsBooked && day < 28; day += 1) {
    const date = dayFromNow(day);
    const free = (await (await api.get(`/doctors/${doctor._id}/free-times?date=${date}`)).json()) as {
      readonly times?: readonly Pick<Appointment, 'time'>[] | readonly string[];
    };
    for (const slot of free.times ?? []) {
      const answer = await api.post('/appoinments', {
        data: {
          patientname: `${person.firstName} ${person.lastName}`,
          age: 101,
          address: longAddress,
          number: '+880 1555 777002',
          time: typeof slot === 'string' ? slot : slot.time,
          date,
          status: 'Pending',
          patientemail: person.email,
          doctorname: doctor.name,
          doctoremail: doctor.email,
        },
      });
      // Another test has booked it.
      if (answer.status() === 409) continue;
      await expectOk(answer);
      booked.push((await answer.json()) as Appointment);
    }
  }
  return booked;
}

/** All but a few, which wait at the top of the doctor's list. */
async function confirmMost(api: APIRequestContext, booked: readonly Appointment[]): Promise<void> {
  for (const { _id } of booked.slice(2))
    await expectOk(await api.patch(`/update-appoinment/${_id}`, { data: { newStatus: 'Confirmed' } }));
}

/** All but the last order are shipped: an ordinary clinic limits how many a customer has open. */
async function order(api: APIRequestContext, person: Patient, pharmacist: APIRequestContext): Promise<void> {
  const medicines = (await (await api.get('/medicine?status=in%20stock&limit=100')).json()) as readonly Medicine[];
  const stockOf = ({ medicine }: Medicine): number => Number(medicine.quantity.$numberInt);
  const items = medicines
    .filter(({ medicine }) => !medicine.prescriptionOnly)
    .toSorted((a, b) => stockOf(b) - stockOf(a))
    .slice(0, 5)
    .map(({ medicine }) => ({ medicineId: medicine.medicineId, quantity: 1 }));
  for (let orders = 1; orders <= ordersPlaced; orders += 1) {
    const answer = await api.post('/orderMedi', {
      data: {
        items: orders === 1 ? items : items.slice(0, 2),
        orderDate: new Date().toISOString(),
        status: 'pending',
        deliveryAddress: longAddress,
        customeremail: person.email,
        customerPhone: '+880 1555 777002',
      },
    });
    await expectOk(answer);
    const { _id } = (await answer.json()) as Order;
    if (orders < ordersPlaced)
      await expectOk(await pharmacist.patch(`/orderMedi/${_id}`, { data: { newStatus: 'Shipped' } }));
  }
}
