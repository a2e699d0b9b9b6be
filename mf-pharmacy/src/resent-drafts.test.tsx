import { testResentDrafts } from '@clinic/app-kit/test-resent-drafts';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';
import { readMedicine } from './medicines/medicine.ts';
import { wireMedicine } from './testing/records.ts';

const email = 'pharmacist@clinic.example';
const user = { email, firstName: 'Ann', lastName: 'Lee', role: 'pharmacist', emailVerified: true };

testResentDrafts(remote, import.meta.dirname, (file) => import(`../${file}`), pharmacyCalls, [
  {
    call: 'addMedicine',
    at: '/dash/addmedicine',
    user,
    draft: [
      `addMedicine ${email}`,
      {
        medicineId: '',
        name: 'Aspirin',
        manufacturer: 'Maker',
        unit: 'box',
        expiryDate: '2999-01-01',
        maxPerCustomer: null,
        category: null,
        prescriptionOnly: false,
        quantity: 12,
        pricePerUnit: 2.5,
      },
    ],
    press: ['Add Medicine'],
  },
  {
    call: 'enterCounterOrder',
    at: '/dash/orders',
    user,
    draft: [
      `counter order ${email}`,
      {
        fields: {
          recipientName: 'Nadia Rahman',
          customeremail: 'nadia@mail.example',
          customerPhone: '+880 1555 010400',
          deliveryAddress: '',
          date: '2026-01-15',
          prescriber: 'Dr. Sara Rahman',
        },
        lines: [{ medicine: readMedicine(wireMedicine()), quantity: 2 }],
        agreed: 'nadia@mail.example Nadia Rahman',
      },
    ],
    press: ['Counter order', 'Enter order'],
  },
]);
