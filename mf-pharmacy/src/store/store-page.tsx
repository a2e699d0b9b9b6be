/** Pharmacy (`/medicinestore`). */
export function StorePage() {
  return <h1 className="text-2xl font-bold">Pharmacy</h1>;
}
