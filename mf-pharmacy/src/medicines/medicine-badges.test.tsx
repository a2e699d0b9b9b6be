import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { medicineStatusFor, type MedicineStatus } from '@clinic/svc-pharmacy/contract/transitions';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { medicineColumns } from '../inventory/inventory-columns.tsx';
import { MedicineCard } from '../store/medicine-card.tsx';
import { MedicineDetails } from '../store/medicine-details.tsx';
import { wireMedicine } from '../testing/records.ts';
import { needsPrescription, readMedicine, type Medicine } from './medicine.ts';

beforeAll(prepareEnvironment);

const today = '2026-11-26';
const nothing = () => undefined;
const medicines: readonly Medicine[] = combinations<
  Pick<Medicine, 'quantity' | 'expiryDate' | 'prescriptionOnly' | 'archived'> & { readonly newer: boolean }
>({
  quantity: [0, 4, 40],
  expiryDate: ['2026-11-25', today, '2026-12-03', '2999-01-01'],
  prescriptionOnly: [false, true],
  archived: [false, true],
  newer: [false, true],
}).map(({ newer, ...one }) => ({
  ...readMedicine(wireMedicine()),
  ...one,
  // The other is of a newer release.
  status: newer ? ('recalled' as MedicineStatus) : medicineStatusFor(one.quantity, 10),
}));

function wordsOf(element: ReactNode) {
  const { baseElement, unmount } = render(<QueryClientProvider client={queryClient}>{element}</QueryClientProvider>);
  const [badge = '', ...more] = badgesIn(baseElement);
  expect(more).toEqual([]);
  const add = baseElement.querySelector<HTMLButtonElement>('[aria-label^="Add to Cart"]');
  const shown = { badge, text: baseElement.textContent, sold: add?.disabled === false };
  unmount();
  return shown;
}

const inStock = ['In Stock', 'Low Stock'];

test('the store says and sells of a medicine what its badge says', () => {
  // The store doesn't list what is archived.
  for (const medicine of medicines.filter(({ archived }) => !archived)) {
    const store = { medicine, today, inCart: false, onAdd: nothing };
    for (const { badge, text, sold } of [
      wordsOf(<MedicineCard {...store} label={medicine.name} onDetails={nothing} />),
      wordsOf(<MedicineDetails {...store} onClose={nothing} />),
    ]) {
      const available = inStock.includes(badge);
      expect({ medicine, badge, sold }).toEqual({ medicine, badge, sold: available && !medicine.prescriptionOnly });
      expect(text.includes(needsPrescription)).toBe(available && medicine.prescriptionOnly);
      expect(/Expired ?[A-Z][a-z]{2} \d/.test(text)).toBe(badge === 'Expired');
      expect(/Only \d+ /.test(text) && badge !== 'Low Stock').toBe(false);
      expect(text.includes('In stock') && badge === 'Expired').toBe(false);
    }
  }
});

test('the inventory says of a medicine’s expiry what its badge says', () => {
  const columns = medicineColumns(today).filter(({ key }) => key === 'expiry' || key === 'status');
  for (const medicine of medicines) {
    const { badge, text } = wordsOf(columns.map(({ key, cell }) => <div key={key}>{cell(medicine)}</div>));
    const expired = medicine.expiryDate < today;
    const usual = { 'in stock': 'In Stock', 'low stock': 'Low Stock', 'out of stock': 'Out of Stock' }[medicine.status];
    expect(badge).toBe(medicine.archived ? 'Archived' : expired ? 'Expired' : (usual ?? medicine.status));
    expect(text.includes('Expires soon')).toBe(!expired && medicine.expiryDate < '2027');
  }
});
