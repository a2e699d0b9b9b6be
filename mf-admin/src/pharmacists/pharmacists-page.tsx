/** Pharmacists (`/dash/pharmacists`). */
export function PharmacistsPage() {
  return <h1 className="text-2xl font-bold">Pharmacists</h1>;
}
