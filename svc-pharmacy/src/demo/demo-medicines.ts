import type { MedicineCategory, MedicineUnit } from '../contract/limits.ts';

/**
 * A medicine of the demo pharmacy: with its decimal price, and its dates in days from the day of the seeding, so that a demo
 * never looks outdated; one that has expired has a negative number.
 */
type DemoMedicine = readonly [
  name: string,
  manufacturer: string,
  quantity: number,
  unit: MedicineUnit,
  price: number,
  expiresInDays: number,
  addedDaysAgo: number,
];

/** Thirty-six medicines: every unit and every status, one expired, two that expire within three weeks. */
export const demoMedicines: readonly DemoMedicine[] = [
  ['Paracetamol 500 mg', 'Square Pharmaceuticals', 480, 'strip', 0.85, 610, 120],
  ['Ibuprofen 400 mg', 'Beximco Pharma', 260, 'strip', 1.6, 540, 118],
  ['Amoxicillin 500 mg', 'Incepta Pharmaceuticals', 140, 'strip', 3.25, 400, 117],
  ['Azithromycin 250 mg', 'Renata', 64, 'strip', 4.9, 365, 115],
  ['Ciprofloxacin 500 mg', 'ACI Limited', 8, 'strip', 3.75, 300, 114],
  ['Metformin 850 mg', 'Healthcare Pharmaceuticals', 320, 'box', 6.4, 720, 110],
  ['Atorvastatin 20 mg', 'Square Pharmaceuticals', 95, 'box', 9.8, 655, 108],
  ['Losartan 50 mg', 'Opsonin Pharma', 110, 'box', 7.2, 580, 104],
  ['Amlodipine 5 mg', 'Beximco Pharma', 0, 'box', 5.1, 590, 101],
  ['Bisoprolol 2.5 mg', 'Incepta Pharmaceuticals', 74, 'box', 8.35, 470, 99],
  ['Clopidogrel 75 mg', 'Renata', 41, 'box', 12.5, 510, 97],
  ['Aspirin 75 mg', 'ACME Laboratories', 500, 'tablet', 0.08, 820, 96],
  ['Omeprazole 20 mg', 'Square Pharmaceuticals', 230, 'strip', 2.1, 450, 92],
  ['Pantoprazole 40 mg', 'Eskayef', 6, 'strip', 2.95, 430, 90],
  ['Domperidone 10 mg', 'Opsonin Pharma', 150, 'strip', 1.25, 390, 88],
  ['Loperamide 2 mg', 'ACI Limited', 90, 'tablet', 0.3, 700, 85],
  ['Cetirizine 10 mg', 'Eskayef', 310, 'tablet', 0.15, 640, 80],
  ['Loratadine 10 mg', 'ACME Laboratories', 0, 'tablet', 0.22, 560, 79],
  ['Montelukast 10 mg', 'Healthcare Pharmaceuticals', 58, 'strip', 5.6, 415, 75],
  ['Salbutamol inhaler 100 mcg', 'Beximco Pharma', 37, 'piece', 6.95, 385, 73],
  ['Budesonide inhaler 200 mcg', 'Incepta Pharmaceuticals', 9, 'piece', 14.2, 350, 70],
  ['Digital thermometer', 'Omron', 45, 'piece', 7.5, 1800, 68],
  ['Elastic bandage 10 cm', 'JMI Syringes', 120, 'piece', 1.95, 1400, 66],
  ['Cough syrup, honey and ivy', 'Renata', 85, 'bottle', 4.4, 240, 60],
  ['Antacid suspension', 'Square Pharmaceuticals', 66, 'bottle', 3.15, 310, 58],
  ['Paracetamol syrup for children', 'Beximco Pharma', 132, 'bottle', 2.3, 265, 55],
  ['Povidone-iodine solution', 'Opsonin Pharma', 28, 'bottle', 2.8, 500, 52],
  ['Normal saline 0.9 %', 'Popular Infusions', 5000, 'ml', 0.01, 600, 50],
  ['Lidocaine 2 % injection', 'Popular Infusions', 750, 'ml', 0.12, 330, 46],
  ['Insulin glargine 100 IU', 'Novo Nordisk', 4, 'ml', 3.6, 18, 40],
  ['Hydrocortisone powder', 'ACI Limited', 2500, 'mg', 0.02, 420, 38],
  ['Vitamin C 500 mg', 'ACME Laboratories', 400, 'tablet', 0.1, 690, 30],
  ['Vitamin D3 20,000 IU', 'Healthcare Pharmaceuticals', 76, 'strip', 3.9, 530, 26],
  ['Oral rehydration salts', 'SMC Enterprise', 350, 'piece', 0.18, 900, 21],
  ['Amoxicillin suspension 125 mg', 'Incepta Pharmaceuticals', 24, 'bottle', 3.45, 11, 14],
  ['Erythromycin 250 mg', 'Renata', 33, 'strip', 2.75, -9, 200],
];

/** Category by the beginning of a medicine's name; all others are 'Other'. */
const namesOf: Readonly<Partial<Record<MedicineCategory, RegExp>>> = {
  'Pain and fever': /^(Paracetamol|Ibuprofen|Aspirin|Lidocaine)/,
  Antibiotics: /^(Amoxicillin|Azithromycin|Ciprofloxacin|Erythromycin)/,
  'Heart and blood pressure': /^(Atorvastatin|Losartan|Amlodipine|Bisoprolol|Clopidogrel)/,
  Diabetes: /^(Metformin|Insulin)/,
  Stomach: /^(Omeprazole|Pantoprazole|Domperidone|Loperamide|Antacid|Oral rehydration)/,
  'Cough, cold and allergy': /^(Cetirizine|Loratadine|Montelukast|Salbutamol|Budesonide|Cough)/,
  'Skin and wounds': /^(Povidone|Hydrocortisone)/,
  Vitamins: /^Vitamin/,
  'Devices and dressings': /^(Digital|Elastic)/,
};

export function demoCategoryOf(name: string): MedicineCategory {
  const found = Object.entries(namesOf).find(([, names]) => names.test(name));
  return (found?.[0] as MedicineCategory | undefined) ?? 'Other';
}

/** Antibiotics, insulin, and what else a doctor prescribes and watches over. */
export function needsPrescription(name: string): boolean {
  return demoCategoryOf(name) === 'Antibiotics' || /^(Insulin|Lidocaine|Clopidogrel)/.test(name);
}
