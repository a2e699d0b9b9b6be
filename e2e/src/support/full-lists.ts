import type { Appointment, Doctor, Medicine } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { request as requests, type APIRequestContext, type APIResponse } from '@playwright/test';
import { dayFromNow } from './clinic.ts';
import { registerPatient, signIn, type Patient } from './people.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
/** More than a page of any list. */
const many = 24;
const longFirst = 'Maximiliana-Konstantina';
const longLast = 'Featherstonehaugh-Wolfeschlegelsteinhausen';
const longAddress =
  'Flat 14C, The Extraordinarily Long Residence Building, 128/A Satmasjid Road, Dhanmondi, Dhaka 1209';

async function sent(answer: APIResponse): Promise<void> {
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`);
}

/**
 * Fills the lists: somebody with a long name and address has more appointments with the demo's doctor and more orders than fit
 * on one page.
 */
export async function fillLists(baseURL: string | undefined): Promise<Patient> {
  const api = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  const pharmacist = await requests.newContext({ baseURL, extraHTTPHeaders: ours });
  const person = await registerPatient(api, longFirst, 'wolfeschlegelstein.hausenbergerdorff', longLast);
  await signIn(api, person);
  await signIn(pharmacist, { email: demoAccounts.pharmacist, password: demoPassword });
  await addMedicine(pharmacist);
  await book(api, person);
  await order(api, person);
  await api.dispose();
  await pharmacist.dispose();
  return person;
}

async function addMedicine(api: APIRequestContext): Promise<void> {
  await sent(
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

async function book(api: APIRequestContext, person: Patient): Promise<void> {
  const doctors = (await (await api.get('/doctors')).json()) as readonly Doctor[];
  const doctor = doctors.find(({ email }) => email === demoAccounts.doctor);
  if (!doctor) throw new Error('The demo has no doctor');
  // Days that no other test books.
  const start = 900 + (Math.floor(Date.now() / 1000) % 70);
  let booked = 0;
  for (let day = start; booked < many && day < start + 20; day += 1) {
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
      // Another worker fills the lists, too.
      if (answer.status() === 409) continue;
      await sent(answer);
      booked += 1;
    }
  }
}

async function order(api: APIRequestContext, person: Patient): Promise<void> {
  const medicines = (await (await api.get('/medicine?status=in%20stock&limit=100')).json()) as readonly Medicine[];
  const stockOf = ({ medicine }: Medicine): number => Number(medicine.quantity.$numberInt);
  const items = medicines
    .toSorted((a, b) => stockOf(b) - stockOf(a))
    .slice(0, 5)
    .map(({ medicine }) => ({ medicineId: medicine.medicineId, quantity: 1 }));
  for (let orders = 0; orders < many; orders += 1)
    await sent(
      await api.post('/orderMedi', {
        data: {
          items: orders === 0 ? items : items.slice(0, 2),
          orderDate: new Date().toISOString(),
          status: 'pending',
          deliveryAddress: longAddress,
          customeremail: person.email,
          customerPhone: '+880 1555 777002',
        },
      }),
    );
}
